package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import io.headgate.kit.ScriptedEngine;
import java.time.Duration;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Passes one {@link GatewayCluster} and the engine before it to all tests of a run, because three
 * processes take ten seconds to start. Before each test it is whole; tests use jobs of their own.
 */
final class SharedCluster implements BeforeEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(SharedCluster.class);

  /** How long answers are reused; short, so that most polls are lookups. */
  static final Duration FRESHNESS = Duration.ofMillis(100);

  /** Closed by JUnit when the last test class is over. */
  private static final class Running implements AutoCloseable {
    final ScriptedEngine engine = new ScriptedEngine();
    final GatewayCluster cluster =
        GatewayCluster.start(
            "source.zeta.members",
            engine.uri().toString(),
            "admission.freshness",
            FRESHNESS.toMillis() + "ms",
            "admission.permits",
            "16");

    @Override
    public void close() {
      cluster.close();
      engine.close();
      for (GatewayProcess member : cluster.members()) {
        assertThat(member.log().lines())
            .as("%s", member)
            .filteredOn(line -> line.contains(" ERROR ") || line.contains("LEAK: "))
            .filteredOn(line -> !line.contains("[hz.")) // it may complain of what we do to it
            .isEmpty();
      }
    }
  }

  private static Running running(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(Running.class, key -> new Running(), Running.class);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    running(context).cluster.makeWhole();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == GatewayCluster.class || type == ScriptedEngine.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Running running = running(context);
    boolean cluster = parameter.getParameter().getType() == GatewayCluster.class;
    return cluster ? running.cluster : running.engine;
  }
}
