package io.headgate.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a route that writes, as far as its head tells (L30). The role of the user has been
 * checked before, where users are configured.
 *
 * <p>What is refused besides is what only a browser would send, that a page of somebody else's
 * drives: a request from another site, under a name that is not ours, or with a content type that
 * needs no leave of ours. Immutable, safe on any thread.
 */
final class WriteAccess {
  /** The names of this machine, exactly; their like under any other spelling is not accepted. */
  private static final Pattern LOOPBACK =
      Pattern.compile(
          "(localhost|127(\\.(0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])){3}|\\[::1])(:\\d{1,5})?");

  private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
  private static final Pattern UTF_8 = Pattern.compile("[ \t]*;[ \t]*charset=(utf-8|\"utf-8\")");
  private static final CharSequence SEC_FETCH_SITE = HttpHeaders.createOptimized("sec-fetch-site");

  private final boolean on;
  private final boolean tls;
  private final List<String> hosts;

  /**
   * @param users whether there are users
   */
  WriteAccess(HttpConfig config, boolean users) {
    on = users || config.isLoopback();
    tls = config.tls();
    hosts = config.allowedHosts().stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
  }

  /** Whether anybody may write: a user, or without users whoever is on this machine. */
  boolean isOn() {
    return on;
  }

  /**
   * Why this request may not write, or null.
   *
   * @param type the media type that its content must have, or null where it has no content
   */
  @Nullable ErrorCode refusal(HttpServerRequest request, @Nullable String type) {
    if (!on) {
      return ErrorCode.WRITE_NOT_CONFIGURED;
    }
    String host = host(request);
    if (host == null || !isOurs(host)) {
      return ErrorCode.HOST_NOT_ALLOWED;
    }
    if (isCrossSite(request, host)) {
      return ErrorCode.CROSS_SITE;
    }
    return type == null || hasType(request, type) ? null : ErrorCode.UNSUPPORTED_MEDIA_TYPE;
  }

  private static @Nullable String host(HttpServerRequest request) {
    String host =
        request.version() != HttpVersion.HTTP_2
            ? request.getHeader(HttpHeaders.HOST)
            : request.authority() == null ? null : request.authority().toString();
    return host == null ? null : host.toLowerCase(Locale.ROOT);
  }

  private boolean isOurs(String host) {
    return LOOPBACK.matcher(host).matches()
        || hosts.contains(host)
        || hosts.contains(PORT.matcher(host).replaceFirst(""));
  }

  /** Whether a browser says that a page of another origin is behind it. */
  private boolean isCrossSite(HttpServerRequest request, String host) {
    for (String site : request.headers().getAll(SEC_FETCH_SITE)) {
      if (!site.equals("same-origin") && !site.equals("none")) {
        return true;
      }
    }
    List<String> origins = request.headers().getAll(HttpHeaders.ORIGIN);
    if (origins.isEmpty()) {
      return false;
    }
    String origin = origins.get(0).toLowerCase(Locale.ROOT);
    // A proxy in front may have taken TLS off, so over clear text a page may be of either scheme.
    boolean same = origin.equals("https://" + host) || !tls && origin.equals("http://" + host);
    return origins.size() > 1 || !same;
  }

  /** Whether the content has exactly this media type, and no coding. */
  static boolean hasType(HttpServerRequest request, String type) {
    List<String> types = request.headers().getAll(HttpHeaders.CONTENT_TYPE);
    if (types.size() != 1 || request.headers().contains(HttpHeaders.CONTENT_ENCODING)) {
      return false;
    }
    String given = types.get(0).toLowerCase(Locale.ROOT);
    return given.startsWith(type)
        && (given.length() == type.length()
            || UTF_8.matcher(given.substring(type.length())).matches());
  }
}
