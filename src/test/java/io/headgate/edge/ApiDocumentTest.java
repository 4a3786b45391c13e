package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.kit.ApiContract;
import io.headgate.kit.ScriptedEngine;
import io.vertx.core.Vertx;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.SchemaRepository;
import io.vertx.openapi.contract.OpenAPIVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code openapi.yaml} says what the code says. */
class ApiDocumentTest {
  private final ApiContract contract = ApiContract.ofTheProgram();

  @Test
  void it_is_an_OpenAPI_document() {
    Vertx vertx = Vertx.vertx();
    try {
      SchemaRepository schemas =
          ScriptedEngine.await(
              OpenAPIVersion.V3_1.getRepository(vertx, "https://headgate.invalid/"));
      OutputUnit result =
          ScriptedEngine.await(
              OpenAPIVersion.V3_1.validateContract(vertx, schemas, contract.document()));
      assertThat(result.getValid()).as("%s", result.getErrors()).isTrue();
    } finally {
      ScriptedEngine.await(vertx.close());
    }
  }

  @Test
  void it_has_every_resource_with_its_methods_and_no_other() {
    Map<String, String> documented = new TreeMap<>();
    contract
        .paths()
        .forEach(path -> documented.put(path, String.join(", ", contract.methods(path))));
    Map<String, String> had = new TreeMap<>();
    for (Resource resource : Resource.values()) {
      had.put(
          resource.template(),
          Arrays.stream(resource.allow().split(", ")).sorted().collect(Collectors.joining(", ")));
    }
    assertThat(documented).isEqualTo(had);
  }

  @Test
  void what_is_not_under_the_base_path_says_so() {
    for (Resource resource : Resource.values()) {
      assertThat(
              contract
                  .document()
                  .getJsonObject("paths")
                  .getJsonObject(resource.template())
                  .containsKey("servers"))
          .as(resource.template())
          .isEqualTo(!resource.isUnderBasePath());
    }
  }

  @Test
  void L21_it_has_every_error_code_and_no_other() {
    List<String> codes = Stream.of(ErrorCode.values()).map(Enum::name).toList();
    assertThat(contract.codes()).containsExactlyInAnyOrderElementsOf(codes);
    assertThat(
            contract
                .schema("Error")
                .getJsonObject("properties")
                .getJsonObject("code")
                .getJsonArray("enum")
                .getList())
        .isEqualTo(codes);
  }

  @Test
  void every_operation_has_a_name_of_its_own() {
    List<String> names =
        contract.paths().stream()
            .map(path -> contract.document().getJsonObject("paths").getJsonObject(path))
            .flatMap(path -> path.stream().map(Map.Entry::getValue))
            .filter(io.vertx.core.json.JsonObject.class::isInstance)
            .map(operation -> ((io.vertx.core.json.JsonObject) operation).getString("operationId"))
            .toList();
    assertThat(names).doesNotContainNull().doesNotHaveDuplicates();
  }

  @Test
  void an_answer_that_is_not_promised_is_noticed() {
    Map<String, List<String>> headers =
        Map.of(
            "content-type", List.of("application/json"),
            "content-length", List.of("30"),
            "cache-control", List.of("private, no-store"),
            "x-content-type-options", List.of("nosniff"));
    java.net.http.HttpHeaders usual = java.net.http.HttpHeaders.of(headers, (n, v) -> true);
    java.net.http.HttpHeaders few =
        java.net.http.HttpHeaders.of(headers, (n, v) -> !n.equals("cache-control"));
    String body = "{\"code\":\"JOB_NOT_FOUND\",\"message\":\"m\"}";
    contract.check("GET", "/job-lineage/1", 404, usual, body);
    assertUnpromised("GET", "/job-lineage/1", 402, usual, body);
    assertUnpromised("GET", "/job-lineage/1", 404, few, body);
    assertUnpromised("GET", "/job-lineage/1", 404, usual, body.replace("JOB_NOT", "NOT"));
    assertUnpromised("GET", "/job-lineage/1", 404, usual, body.replace("}", ",\"more\":1}"));
    assertUnpromised("GET", "/job-lineage/1", 404, usual, body.replace(",\"message\":\"m\"", ""));
    assertUnpromised("GET", "/elsewhere", 200, usual, "{}");
  }

  private void assertUnpromised(
      String method, String path, int status, java.net.http.HttpHeaders headers, String body) {
    assertThatThrownBy(() -> contract.check(method, path, status, headers, body))
        .isInstanceOf(AssertionError.class);
  }
}
