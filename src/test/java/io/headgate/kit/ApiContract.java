package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code openapi.yaml}, and whether an answer is one of those that it promises: its status, its
 * headers, its type, its body and the error code in it. Stricter than a client may be: what the
 * document does not name must not be there. Safe on any thread.
 */
public final class ApiContract {
  private static final String FILE = "/io/headgate/edge/openapi.yaml";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Not of the answer but of the connection; and the type, which has a place of its own. */
  private static final Set<String> OF_THE_CONNECTION =
      Set.of("connection", "transfer-encoding", "content-type", ":status");

  private static final Set<String> NAMED_BY_METHOD =
      Set.of("get", "head", "put", "post", "delete", "options", "patch", "trace");

  private final JsonObject document;
  private final Map<JsonObject, Validator> validators = new ConcurrentHashMap<>();

  private ApiContract(JsonObject document) {
    this.document = document;
  }

  /** The file of the program. */
  public static ApiContract ofTheProgram() {
    try (InputStream in = ApiContract.class.getResourceAsStream(FILE)) {
      return of(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A document in YAML. */
  public static ApiContract of(String yaml) {
    try {
      return new ApiContract(
          new JsonObject(JSON.writeValueAsString(new YAMLMapper().readTree(yaml))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public JsonObject document() {
    return document;
  }

  /** The templates of all paths. */
  public Set<String> paths() {
    return document.getJsonObject("paths").fieldNames();
  }

  /** The methods of one path, in capitals. */
  public Set<String> methods(String template) {
    Set<String> methods = new TreeSet<>();
    for (String name : document.getJsonObject("paths").getJsonObject(template).fieldNames()) {
      if (NAMED_BY_METHOD.contains(name)) {
        methods.add(name.toUpperCase(Locale.ROOT));
      }
    }
    return methods;
  }

  /** Every error code that stands in a response. */
  public Set<String> codes() {
    Set<String> codes = new TreeSet<>();
    JsonObject responses = document.getJsonObject("components").getJsonObject("responses");
    for (String name : responses.fieldNames()) {
      codes.addAll(codes(responses.getJsonObject(name)));
    }
    return codes;
  }

  private static Collection<String> codes(JsonObject response) {
    JsonObject at = response;
    for (String name : "content application/json schema properties code".split(" ")) {
      at = at.getJsonObject(name);
      if (at == null) {
        return List.of();
      }
    }
    return at.getJsonArray("enum").stream().map(String.class::cast).toList();
  }

  /** The template that a raw path belongs to, or null. */
  public @Nullable String template(String path) {
    String[] given = path.split("/", -1);
    for (String template : paths()) {
      if (fits(template.split("/", -1), given)) {
        return template;
      }
    }
    return null;
  }

  private static boolean fits(String[] template, String[] path) {
    boolean same = template.length == path.length;
    for (int i = 0; same && i < path.length; i++) {
      same = template[i].startsWith("{") || template[i].equals(path[i]);
    }
    return same;
  }

  /**
   * Fails unless this answer is promised for this method and path.
   *
   * @param path the raw path, without base path and query
   * @param body the body as text, or null where it is none that a schema describes
   */
  public void check(
      String method, String path, int status, HttpHeaders headers, @Nullable String body) {
    String template = template(path);
    String where = method + " " + (template == null ? path : template) + " " + status;
    if (template == null) {
      String nothing = path.startsWith("/ui/") ? "NoSuchPage" : "NotFound";
      check(where, component(nothing), status == 404, method, headers, body);
    } else if (!methods(template).contains(method)) {
      check(where, component("MethodNotAllowed"), status == 405, method, headers, body);
      assertThat(headers.firstValue("allow").orElse("").split(", "))
          .as(where)
          .containsExactlyInAnyOrderElementsOf(methods(template));
    } else {
      JsonObject responses =
          document
              .getJsonObject("paths")
              .getJsonObject(template)
              .getJsonObject(method.toLowerCase(Locale.ROOT))
              .getJsonObject("responses");
      JsonObject response = responses.getJsonObject(Integer.toString(status));
      assertThat(response).as("%s: what is documented of this status", where).isNotNull();
      check(where, resolved(response), true, method, headers, body);
    }
  }

  private void check(
      String where,
      JsonObject response,
      boolean expected,
      String method,
      HttpHeaders headers,
      @Nullable String body) {
    assertThat(expected).as("%s: what is documented", where).isTrue();
    checkHeaders(where, response.getJsonObject("headers"), headers);
    JsonObject content = response.getJsonObject("content");
    String type = headers.firstValue("content-type").orElse(null);
    if (content == null) {
      assertThat(type).as("%s: content type", where).isNull();
      assertThat(body == null ? "" : body).as("%s: body", where).isEmpty();
      return;
    }
    assertThat(content.fieldNames()).as("%s: content types", where).contains(type);
    JsonObject schema = content.getJsonObject(type).getJsonObject("schema");
    if ("application/json".equals(type) && schema != null && !method.equals("HEAD")) {
      checkBody(where, schema, body == null ? "" : body);
    }
  }

  private void checkHeaders(String where, JsonObject documented, HttpHeaders headers) {
    for (String name : headers.map().keySet()) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (!OF_THE_CONNECTION.contains(lower)) {
        assertThat(documented.fieldNames().stream().map(each -> each.toLowerCase(Locale.ROOT)))
            .as("%s: documented headers", where)
            .contains(lower);
      }
    }
    for (String name : documented.fieldNames()) {
      JsonObject header = resolved(documented.getJsonObject(name));
      List<String> values = headers.allValues(name);
      assertThat(values).as("%s: header %s", where, name).hasSize(1);
      validate(where + ": header " + name, header.getJsonObject("schema"), values.get(0));
    }
  }

  private void checkBody(String where, JsonObject schema, String body) {
    validate(where + ": " + (body.length() > 500 ? "body" : body), schema, Json.decodeValue(body));
  }

  /** Fails unless a value is as a schema of the document says. */
  public void validate(String where, JsonObject schema, Object value) {
    OutputUnit result =
        validators
            .computeIfAbsent(
                schema,
                each ->
                    Validator.create(
                        JsonSchema.of(expanded(each)),
                        new JsonSchemaOptions()
                            .setBaseUri("https://headgate.invalid/")
                            .setDraft(Draft.DRAFT202012)
                            .setOutputFormat(OutputFormat.Basic)))
            .validate(value);
    assertThat(result.getValid()).as("%s%n%s", where, result.getErrors()).isTrue();
  }

  /** A schema of the document by its name. */
  public JsonObject schema(String name) {
    return document.getJsonObject("components").getJsonObject("schemas").getJsonObject(name);
  }

  private JsonObject component(String response) {
    return document.getJsonObject("components").getJsonObject("responses").getJsonObject(response);
  }

  private JsonObject resolved(JsonObject object) {
    String reference = object.getString("$ref");
    if (reference == null) {
      return object;
    }
    JsonObject at = document;
    for (String name : reference.substring("#/".length()).split("/")) {
      at = at.getJsonObject(name);
    }
    return at;
  }

  /** The same schema without references, and with no object left open for what it does not name. */
  private JsonObject expanded(JsonObject schema) {
    JsonObject result = new JsonObject();
    for (String name : schema.fieldNames()) {
      Object value = schema.getValue(name);
      if (name.equals("$ref")) {
        result.put("allOf", new JsonArray().add(expanded(resolved(schema))));
      } else {
        result.put(name, value(value));
      }
    }
    if ("object".equals(schema.getValue("type"))
        && schema.containsKey("properties")
        && !schema.containsKey("additionalProperties")) {
      result.put("additionalProperties", false);
    }
    return result;
  }

  private Object value(Object value) {
    if (value instanceof JsonObject object) {
      return expanded(object);
    }
    if (value instanceof JsonArray array) {
      JsonArray result = new JsonArray();
      array.forEach(each -> result.add(each == null ? null : value(each)));
      return result;
    }
    return value;
  }
}
