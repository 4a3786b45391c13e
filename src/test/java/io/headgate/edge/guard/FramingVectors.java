package io.headgate.edge.guard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests, well framed and ill framed, with what the rules say becomes of them. The rules are
 * those of RFC 9112 and, where that leaves a choice, of {@link RequestHeadDecoder}.
 *
 * <p>A vector that is answered asks for {@link #TARGET} unless its name says otherwise.
 */
final class FramingVectors {
  /** What becomes of a request and of the one that was sent right behind it. */
  enum Fate {
    /** It is refused, and the connection with it: what is behind it is never answered. */
    REFUSED,
    /** It is answered, and then the connection closes: what is behind it is never answered. */
    ANSWERED_LAST,
    /** It is answered, and so is what is behind it. */
    ANSWERED
  }

  /**
   * One request.
   *
   * @param status what it is answered with
   */
  record Vector(String name, byte[] bytes, Fate fate, int status) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final String TARGET = "/job-lineage/5";

  private static final String GET = "GET " + TARGET + " HTTP/1.1\r\n";
  private static final String POST = "POST " + TARGET + " HTTP/1.1\r\n";
  private static final String HOST = "Host: a\r\n";
  private static final String END = "\r\n";
  private static final String CHUNKED = POST + HOST + "Transfer-Encoding: chunked\r\n\r\n";
  private static final String UPGRADE =
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n";
  private static final String NO_CHUNKS = "0\r\n\r\n";

  /** Two bytes below its limits Netty begins to mind how bytes arrive, so no vector is there. */
  private static final int NO_VECTORS = 2;

  private static final int LINE = 4096;
  private static final int HEADERS = 8192;

  private final List<Vector> all = new ArrayList<>();

  private FramingVectors() {}

  static List<Vector> all() {
    FramingVectors vectors = new FramingVectors();
    vectors.wellFormed();
    vectors.requestLines();
    vectors.targets();
    vectors.headerLines();
    vectors.hosts();
    vectors.lengths();
    vectors.codings();
    vectors.contentThatNobodyReads();
    vectors.sizes();
    vectors.connectionOptions();
    vectors.noHttpAtAll();
    return vectors.all;
  }

  private void refused(int status, String name, String bytes) {
    add(Fate.REFUSED, status, name, bytes);
  }

  private void malformed(String name, String bytes) {
    refused(400, name, bytes);
  }

  private void answered(int status, String name, String bytes) {
    add(Fate.ANSWERED, status, name, bytes);
  }

  private void last(int status, String name, String bytes) {
    add(Fate.ANSWERED_LAST, status, name, bytes);
  }

  private void add(Fate fate, int status, String name, String bytes) {
    all.add(new Vector(name, bytes.getBytes(StandardCharsets.ISO_8859_1), fate, status));
  }

  private void wellFormed() {
    answered(200, "get", GET + HOST + END);
    answered(200, "header names in any case", GET + "hOsT: a\r\n" + END);
    answered(200, "value without a space before it", GET + "Host:a\r\n" + END);
    answered(200, "value with white space around it", GET + "Host: \t a \t \r\n" + END);
    answered(200, "empty value", GET + HOST + "X:\r\n" + END);
    answered(200, "tab in a value", GET + HOST + "X: a\tb\r\n" + END);
    answered(200, "bytes above 0x7F in a value", GET + HOST + "X: a\u00ffb\r\n" + END);
    answered(
        200,
        "every character that a name may have",
        GET + HOST + "!#$%&'*+-.^_`|~0aZ: a\r\n" + END);
    answered(200, "one empty line before it", "\r\n" + GET + HOST + END);
    answered(200, "two empty lines before it", "\r\n\r\n" + GET + HOST + END);
    answered(405, "method of another case", "get " + TARGET + " HTTP/1.1\r\n" + HOST + END);
    answered(405, "unknown method", "BREW " + TARGET + " HTTP/1.1\r\n" + HOST + END);
    answered(405, "TRACE", "TRACE " + TARGET + " HTTP/1.1\r\n" + HOST + END);
    answered(200, "query", "GET " + TARGET + "?a=b HTTP/1.1\r\n" + HOST + END);
    answered(
        404, "no escape in a target is read", "GET /\"<>{}|^`\\%zz%00 HTTP/1.1\r\n" + HOST + END);
  }

  private void requestLines() {
    malformed("three empty lines before it", "\r\n\r\n\r\n" + GET + HOST + END);
    malformed("many empty lines before it", "\r\n".repeat(1000) + GET + HOST + END);
    malformed("bare LF before it", "\n" + GET + HOST + END);
    malformed("bare CR before it", "\r" + GET + HOST + END);
    malformed("NUL before it", "\0" + GET + HOST + END);
    malformed("space before it", " " + GET + HOST + END);
    malformed("tab before it", "\t" + GET + HOST + END);
    malformed("two spaces after the method", "GET  " + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("two spaces before the version", "GET " + TARGET + "  HTTP/1.1\r\n" + HOST + END);
    malformed("tabs", "GET\t" + TARGET + "\tHTTP/1.1\r\n" + HOST + END);
    malformed("CR as separator", "GET\r" + TARGET + "\rHTTP/1.1\r\n" + HOST + END);
    malformed("VT and FF as separators", "GET\u000b" + TARGET + "\u000cHTTP/1.1\r\n" + HOST + END);
    malformed("NBSP as separator", "GET\u00a0" + TARGET + "\u00a0HTTP/1.1\r\n" + HOST + END);
    malformed("space at the end", "GET " + TARGET + " HTTP/1.1 \r\n" + HOST + END);
    malformed("space in the target", "GET /job-lineage/5 y HTTP/1.1\r\n" + HOST + END);
    malformed("two versions", "GET " + TARGET + " HTTP/1.1 HTTP/1.1\r\n" + HOST + END);
    malformed("HTTP/0.9", "GET " + TARGET + "\r\n" + END);
    malformed("no version", "GET " + TARGET + " \r\n" + HOST + END);
    malformed("HTTP/2.0", "GET " + TARGET + " HTTP/2.0\r\n" + HOST + END);
    malformed("HTTP/1.2", "GET " + TARGET + " HTTP/1.2\r\n" + HOST + END);
    malformed("HTTP/1.10", "GET " + TARGET + " HTTP/1.10\r\n" + HOST + END);
    malformed("HTTP/01.1", "GET " + TARGET + " HTTP/01.1\r\n" + HOST + END);
    malformed("HTTP/1,1", "GET " + TARGET + " HTTP/1,1\r\n" + HOST + END);
    malformed("http/1.1", "GET " + TARGET + " http/1.1\r\n" + HOST + END);
    malformed("FOO/1.1", "GET " + TARGET + " FOO/1.1\r\n" + HOST + END);
    malformed("no method", " " + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("method with a parenthesis", "GE(T " + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("method with NUL", "G\0T " + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("method with a byte above 0x7F", "G\u00c9T " + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("bare LF after it", "GET " + TARGET + " HTTP/1.1\n" + HOST + END);
    malformed("bare CR after it", "GET " + TARGET + " HTTP/1.1\r" + HOST + "\r\n" + END);
    malformed("CR CR LF after it", "GET " + TARGET + " HTTP/1.1\r\r\n" + HOST + END);
  }

  private void targets() {
    answered(
        200, "absolute, same authority", "GET http://a" + TARGET + " HTTP/1.1\r\n" + HOST + END);
    answered(200, "absolute, any case", "GET HTTPS://A" + TARGET + " HTTP/1.1\r\n" + HOST + END);
    answered(302, "absolute, no path", "GET http://a HTTP/1.1\r\n" + HOST + END);
    answered(302, "absolute, no path but a query", "GET http://a?/b HTTP/1.1\r\n" + HOST + END);
    malformed("absolute, other authority", "GET http://b" + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("absolute, other port", "GET http://a:8" + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed(
        "absolute, longer authority", "GET http://ab" + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("absolute, user", "GET http://a@b" + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("absolute, no authority", "GET http://" + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("absolute, other scheme", "GET ftp://a" + TARGET + " HTTP/1.1\r\n" + HOST + END);
    malformed("absolute, nothing to compare with", "GET http://a" + TARGET + " HTTP/1.0\r\n" + END);
    malformed("relative", "GET job-lineage/5 HTTP/1.1\r\n" + HOST + END);
    malformed("authority form", "CONNECT a:443 HTTP/1.1\r\n" + HOST + END);
    malformed("asterisk with GET", "GET * HTTP/1.1\r\n" + HOST + END);
    answered(404, "asterisk with OPTIONS", "OPTIONS * HTTP/1.1\r\n" + HOST + END);
    malformed("fragment", "GET " + TARGET + "#f HTTP/1.1\r\n" + HOST + END);
    malformed("NUL in it", "GET " + TARGET + "\0 HTTP/1.1\r\n" + HOST + END);
    malformed("control character in it", "GET " + TARGET + "\u0001 HTTP/1.1\r\n" + HOST + END);
    malformed("DEL in it", "GET " + TARGET + "\u007f HTTP/1.1\r\n" + HOST + END);
    malformed("byte above 0x7F in it", "GET " + TARGET + "\u00ff HTTP/1.1\r\n" + HOST + END);
  }

  private void headerLines() {
    malformed("fold by a space", GET + HOST + "X: a\r\n b\r\n" + END);
    malformed("fold by a tab", GET + HOST + "X: a\r\n\tb\r\n" + END);
    malformed("fold of the first line", GET + " " + HOST + END);
    malformed(
        "fold that hides a coding",
        POST + HOST + "Transfer-Encoding:\r\n chunked\r\n\r\n" + NO_CHUNKS);
    malformed("fold of nothing", GET + HOST + " \r\n" + END);
    malformed("fold of an empty value", GET + HOST + "X:\r\n \r\n" + END);
    malformed("bare LF between lines", GET + "Host: a\nX: b\r\n" + END);
    malformed("bare LF as the end", GET + HOST + "\n");
    malformed("bare CR in a value", GET + HOST + "X: a\rb\r\n" + END);
    malformed("CR CR LF", GET + HOST + "X: a\r\r\n" + END);
    malformed("NUL in a value", GET + HOST + "X: a\0b\r\n" + END);
    malformed("0x01 in a value", GET + HOST + "X: a\u0001b\r\n" + END);
    malformed("0x1F in a value", GET + HOST + "X: a\u001fb\r\n" + END);
    malformed("DEL in a value", GET + HOST + "X: a\u007fb\r\n" + END);
    malformed("VT before a value", GET + HOST + "X: \u000bb\r\n" + END);
    malformed("space before the colon", POST + HOST + "Content-Length : 5\r\n\r\nhello");
    malformed(
        "tab before the colon", POST + HOST + "Transfer-Encoding\t: chunked\r\n\r\n" + NO_CHUNKS);
    malformed("NUL in a name", GET + HOST + "X\0: a\r\n" + END);
    malformed("no name", GET + HOST + ": a\r\n" + END);
    malformed("no name, first line", GET + ": a\r\n" + HOST + END);
    malformed("byte above 0x7F in a name", GET + HOST + "X\u00e9: a\r\n" + END);
    malformed("parenthesis in a name", GET + HOST + "X(y): a\r\n" + END);
    malformed("space in a name", GET + HOST + "X y: a\r\n" + END);
    malformed("no colon", GET + HOST + "XYZ\r\n" + END);
    malformed("no colon, first line", GET + "XYZ\r\n" + HOST + END);
  }

  private void hosts() {
    malformed("no Host", GET + "X: a\r\n" + END);
    malformed("no header at all", GET + END);
    malformed("two Hosts", GET + HOST + "Host: b\r\n" + END);
    malformed("one Host twice", GET + HOST + HOST + END);
    malformed("two Hosts, HTTP/1.0", "GET " + TARGET + " HTTP/1.0\r\n" + HOST + HOST + END);
    malformed("empty Host", GET + "Host:\r\n" + END);
    malformed("Host with a space", GET + "Host: a b\r\n" + END);
    malformed("Host with a slash", GET + "Host: a/b\r\n" + END);
    malformed("Host with a user", GET + "Host: u@a\r\n" + END);
    malformed("list of Hosts", GET + "Host: a, b\r\n" + END);
    malformed("Host with a word as port", GET + "Host: a:b\r\n" + END);
    malformed("Host with port 99999", GET + "Host: a:99999\r\n" + END);
    malformed("Host with port -1", GET + "Host: a:-1\r\n" + END);
    malformed("Host with two ports", GET + "Host: a:1:2\r\n" + END);
    malformed("Host of a port only", GET + "Host: :80\r\n" + END);
    malformed("Host with a byte above 0x7F", GET + "Host: a\u00e9\r\n" + END);
    malformed("Host with an escape", GET + "Host: a%20b\r\n" + END);
    malformed("Host with an open bracket", GET + "Host: [::1\r\n" + END);
    malformed("Host of empty brackets", GET + "Host: []\r\n" + END);
    malformed("Host with something after the bracket", GET + "Host: [::1]a\r\n" + END);
    answered(200, "Host of an IPv6 address and a port", GET + "Host: [::1]:80\r\n" + END);
    answered(200, "Host of an IPv4 address and a port", GET + "Host: 127.0.0.1:65535\r\n" + END);
    answered(200, "Host with an underscore", GET + "Host: a_b.c-d\r\n" + END);
    last(200, "HTTP/1.0 without Host", "GET " + TARGET + " HTTP/1.0\r\n" + END);
  }

  private void lengths() {
    answered(200, "length 0", GET + HOST + "Content-Length: 0\r\n" + END);
    answered(
        200, "a name that is almost Content-Length", GET + HOST + "Content-Xength: 5\r\n" + END);
    last(
        405,
        "a length and a name that is almost it",
        POST + HOST + "Content-length: 5\r\nContent-Mength: 6\r\n\r\nhello");
    malformed(
        "one length twice", POST + HOST + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello");
    malformed("two lengths", POST + HOST + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello");
    malformed(
        "0 and another length", GET + HOST + "Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello");
    malformed("list of lengths", POST + HOST + "Content-Length: 5, 5\r\n\r\nhello");
    malformed(
        "list of lengths, HTTP/1.0",
        "POST "
            + TARGET
            + " HTTP/1.0\r\n"
            + HOST
            + "Connection: keep-alive\r\nContent-Length: 5, 5\r\n\r\nhello");
    malformed(
        "two lengths, HTTP/1.0",
        "POST "
            + TARGET
            + " HTTP/1.0\r\n"
            + HOST
            + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello");
    malformed(
        "length and coding",
        POST + HOST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + NO_CHUNKS);
    malformed(
        "coding and length",
        POST + HOST + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + NO_CHUNKS);
    malformed(
        "coding and length 0",
        GET + HOST + "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n" + NO_CHUNKS);
    malformed("length with plus", POST + HOST + "Content-Length: +5\r\n\r\nhello");
    malformed("length with minus", POST + HOST + "Content-Length: -5\r\n\r\nhello");
    malformed("length -0", GET + HOST + "Content-Length: -0\r\n\r\n");
    malformed("length in hexadecimal", POST + HOST + "Content-Length: 0x5\r\n\r\nhello");
    malformed("length with a space", POST + HOST + "Content-Length: 5 5\r\n\r\nhello");
    malformed("length with a point", POST + HOST + "Content-Length: 5.0\r\n\r\nhello");
    malformed("empty length", POST + HOST + "Content-Length:\r\n\r\n");
    malformed(
        "length past 64 bits", POST + HOST + "Content-Length: 99999999999999999999\r\n\r\nhello");
    malformed(
        "length with a digit that is none", POST + HOST + "Content-Length: 5\u00b2\r\n\r\nhello");
    malformed("content with GET", GET + HOST + "Content-Length: 5\r\n\r\nhello");
    malformed(
        "content with DELETE",
        "DELETE " + TARGET + " HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\nhello");
    malformed(
        "content with OPTIONS", "OPTIONS * HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\nhello");
    malformed(
        "content with an unknown method",
        "BREW " + TARGET + " HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\nhello");
    malformed(
        "chunks with GET",
        GET + HOST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" + NO_CHUNKS);
    malformed("no chunks with GET", GET + HOST + "Transfer-Encoding: chunked\r\n\r\n" + NO_CHUNKS);
    malformed(
        "keys of the first WebSocket drafts, with eight bytes behind",
        GET + HOST + "Sec-WebSocket-Key1: a\r\nSec-WebSocket-Key2: b\r\n\r\n");
  }

  /**
   * RFC 9112 sections 6.1 and 6.3: 400 if chunked is not the last coding, because then nobody knows
   * where the content ends; 501 for a coding that is not implemented in front of it.
   */
  private void codings() {
    coding(400, "identity");
    coding(400, "foo");
    coding(501, "gzip, chunked");
    coding(400, "chunked, gzip");
    coding(400, "chunked, identity");
    coding(501, "identity, chunked");
    coding(400, "chunked, chunked");
    coding(400, "xchunked");
    coding(400, "chunkedx");
    coding(400, "chunked;q=1");
    coding(400, "\"chunked\"");
    coding(501, ", chunked,");
    coding(400, "chun\u000bked");
    coding(400, "\u000bchunked");
    coding(400, "chunked\0");
    coding(400, "");
    refused(
        400,
        "two lines, chunked first",
        POST
            + HOST
            + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n"
            + NO_CHUNKS);
    refused(
        501,
        "two lines, chunked last",
        POST
            + HOST
            + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n"
            + NO_CHUNKS);
    malformed(
        "two lines of chunked",
        POST
            + HOST
            + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"
            + NO_CHUNKS);
    malformed(
        "chunked, HTTP/1.0",
        "POST "
            + TARGET
            + " HTTP/1.0\r\n"
            + HOST
            + "Transfer-Encoding: chunked\r\n\r\n"
            + NO_CHUNKS);
  }

  private void coding(int status, String coding) {
    refused(
        status,
        "coding " + coding.replaceAll("[^ -~]", "?"),
        POST + HOST + "Transfer-Encoding: " + coding + "\r\n\r\n" + NO_CHUNKS);
  }

  /**
   * No route reads content yet, so the answer does not wait for it, and the connection closes since
   * nobody looks for its end: what pretends to be content can't be taken for a request.
   */
  private void contentThatNobodyReads() {
    last(405, "length", POST + HOST + "Content-Length: 5\r\n\r\nhello");
    last(405, "length with zeros before it", POST + HOST + "Content-Length: 005\r\n\r\nhello");
    last(
        405,
        "length longer than what comes",
        POST + HOST + "Content-Length: 9223372036854775807\r\n\r\nhello");
    last(405, "length shorter than what comes", POST + HOST + "Content-Length: 1\r\n\r\nhello");
    last(
        405,
        "content that looks like a fold",
        POST + HOST + "Content-Length: 9\r\n\r\na\r\n b\r\n c");
    last(405, "no content", POST + HOST + END);
    last(
        405,
        "length with PUT",
        "PUT " + TARGET + " HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\nhello");
    last(
        405,
        "length with PATCH",
        "PATCH " + TARGET + " HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\nhello");
    last(405, "chunks", CHUNKED + "5\r\nhello\r\n" + NO_CHUNKS);
    last(
        405,
        "CHUNKED",
        POST + HOST + "Transfer-Encoding: CHUNKED\r\n\r\n5\r\nhello\r\n" + NO_CHUNKS);
    last(
        405,
        "a name that only looks like a coding",
        POST + HOST + "Transfer_Encoding: chunked\r\n" + END);
    last(405, "chunk extension", CHUNKED + "5;a=b\r\nhello\r\n" + NO_CHUNKS);
    last(405, "LF in a chunk extension", CHUNKED + "5;a=\nb\r\nhello\r\n" + NO_CHUNKS);
    last(
        405,
        "line end in a quoted chunk extension",
        CHUNKED + "5;a=\"\r\nx\"\r\nhello\r\n" + NO_CHUNKS);
    last(405, "NUL in a chunk extension", CHUNKED + "5;a=\0\r\nhello\r\n" + NO_CHUNKS);
    last(405, "chunk size with minus", CHUNKED + "-5\r\nhello\r\n" + NO_CHUNKS);
    last(405, "chunk size with plus", CHUNKED + "+5\r\nhello\r\n" + NO_CHUNKS);
    last(405, "chunk size with 0x", CHUNKED + "0x5\r\nhello\r\n" + NO_CHUNKS);
    last(405, "no chunk size", CHUNKED + "\r\nhello\r\n" + NO_CHUNKS);
    last(405, "chunk size past 64 bits", CHUNKED + "fffffffffffffffff\r\nhello\r\n" + NO_CHUNKS);
    last(405, "chunk size past 32 bits", CHUNKED + "100000005\r\nhello\r\n" + NO_CHUNKS);
    last(405, "chunk size ended by LF", CHUNKED + "5\nhello\r\n" + NO_CHUNKS);
    last(405, "space after a chunk size", CHUNKED + "5 \r\nhello\r\n" + NO_CHUNKS);
    last(405, "chunk longer than its size", CHUNKED + "3\r\nhello\r\n" + NO_CHUNKS);
    last(405, "zeros before a chunk size", CHUNKED + "000000000000000005\r\nhello\r\n" + NO_CHUNKS);
    last(405, "length in a trailer", CHUNKED + "0\r\nContent-Length: 50\r\n\r\n");
    last(405, "fold in a trailer", CHUNKED + "0\r\nA: b\r\n c\r\n\r\n");
    last(405, "space in a trailer name", CHUNKED + "0\r\nA b: c\r\n\r\n");
    last(405, "too many trailers", CHUNKED + "0\r\n" + "X: a\r\n".repeat(1500) + "\r\n");
  }

  private void sizes() {
    answered(400, "longest request line, no job id", line(LINE - NO_VECTORS) + HOST + END);
    refused(414, "request line one too long", line(LINE + 1) + HOST + END);
    refused(414, "request line far too long", line(70_000) + HOST + END);
    refused(414, "request line without an end", "GET /job-lineage/" + "a".repeat(5000));
    refused(
        414, "method far too long", "G".repeat(5000) + " " + TARGET + " HTTP/1.1\r\n" + HOST + END);
    answered(
        200,
        "longest headers",
        GET + HOST + header(HEADERS - HOST.length() + 4 - NO_VECTORS) + END);
    refused(431, "headers too long", GET + HOST + header(HEADERS - HOST.length() + 5) + END);
    refused(431, "headers far too long", GET + HOST + header(200_000) + END);
    refused(431, "header line without an end", GET + HOST + "X: " + "a".repeat(9000));
    answered(200, "most headers", GET + HOST + "X: a\r\n".repeat(99) + END);
    refused(431, "one header too many", GET + HOST + "X: a\r\n".repeat(100) + END);
    refused(431, "far too many headers", GET + HOST + "X: a\r\n".repeat(1500) + END);
  }

  private static String line(int length) {
    String rest = "GET /job-lineage/ HTTP/1.1";
    return rest.replace("/ ", "/" + "a".repeat(length - rest.length()) + " ") + "\r\n";
  }

  private static String header(int length) {
    return "X: " + "a".repeat(length - 5) + "\r\n";
  }

  private void connectionOptions() {
    last(200, "Connection: close", GET + HOST + "Connection: close\r\n" + END);
    last(200, "close in a list", GET + HOST + "Connection: foo, Close\r\n" + END);
    last(
        200,
        "close in a second line",
        GET + HOST + "Connection: keep-alive\r\nConnection: close\r\n" + END);
    last(200, "HTTP/1.0", "GET " + TARGET + " HTTP/1.0\r\n" + HOST + END);
    answered(
        200,
        "HTTP/1.0 kept alive",
        "GET " + TARGET + " HTTP/1.0\r\n" + HOST + "Connection: keep-alive\r\n" + END);
    answered(200, "Upgrade: h2c", GET + HOST + UPGRADE + END);
    malformed("Upgrade: h2c in a head that is refused", GET + HOST + UPGRADE + "X y: a\r\n" + END);
    malformed("Upgrade: h2c without Host", GET + UPGRADE + END);
    malformed("Upgrade: h2c with content", GET + HOST + UPGRADE + "Content-Length: 5\r\n\r\nhello");
    malformed(
        "Upgrade: h2c in a head that is refused, without settings", GET + "Upgrade: h2c\r\n" + END);
    answered(
        200,
        "Upgrade: h2c without settings",
        GET + HOST + "Connection: Upgrade\r\nUpgrade: h2c\r\n" + END);
    answered(
        200,
        "Upgrade: websocket",
        GET
            + HOST
            + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + END);
    last(
        405,
        "Expect: 100-continue",
        POST + HOST + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\nhello");
    refused(417, "Expect: something else", GET + HOST + "Expect: foo\r\n" + END);
    refused(
        417,
        "Expect: something else in a second line",
        GET + HOST + "Expect: 100-continue\r\nExpect: foo\r\n" + END);
    refused(
        417,
        "Expect: something else in a list",
        GET + HOST + "Expect: 100-continue, foo\r\n" + END);
  }

  private void noHttpAtAll() {
    malformed("HTTP/2 without the second half of its preface", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n");
    malformed("a TLS client", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003");
    malformed("text", "hello world\r\n\r\n");
    malformed("a response", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  }
}
