package io.headgate.fn;

import org.jspecify.annotations.Nullable;

/**
 * Which bearer tokens harnesses have to show (F9).
 *
 * @param keySet file with the public keys of whoever signs tokens, as a JSON Web Key Set
 * @param issuer who must have issued a token
 * @param audience whom a token must be meant for
 * @param tokenUrl where harnesses get tokens with the client credentials grant; told to them in
 *     descriptors. Null if they know
 */
public record FnAuth(String keySet, String issuer, String audience, @Nullable String tokenUrl) {}
