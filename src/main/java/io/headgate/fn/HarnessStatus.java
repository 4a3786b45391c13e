package io.headgate.fn;

/**
 * How a harness is, at one moment.
 *
 * @param id the id that it gives; foreign text
 * @param control whether it has a Control stream, and so takes instructions
 * @param data whether it has a Data stream
 * @param state whether it has a State stream
 * @param logging whether it has a Logging stream
 * @param bundles bundles that it runs
 * @param outstanding instructions that await its answer
 * @param logBytes bytes of its log that are kept
 */
public record HarnessStatus(
    String id,
    boolean control,
    boolean data,
    boolean state,
    boolean logging,
    int bundles,
    int outstanding,
    int logBytes) {}
