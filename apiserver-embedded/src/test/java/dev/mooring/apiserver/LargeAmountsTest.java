package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.kinds.KindCatalogue;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Negative sizes, and sizes beyond 64 bits; Kubernetes 1.38 decides the same. */
class LargeAmountsTest {
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
  private static final int INVALID = 422;

  private ApiServer server;
  private Client client;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    client = new Client(server, "admin-token");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 422",
    "-9.5Gi, 422",
    "-1e30, 422",
    "9223372036854775808, 200",
    "1e21, 200",
    "1Gi, 200"
  })
  void claimCapacity_eachAmount_isRejectedIfNegative(String capacity, int code)
      throws IOException, InterruptedException {
    client.post(
        CLAIMS,
        """
        {"metadata": {"name": "c"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
        """);
    Client.Answer answer =
        client.merge(
            CLAIMS + "/c/status",
            "{\"status\": {\"capacity\": {\"storage\": \"%s\"}}}".formatted(capacity));
    assertThat(answer.code()).isEqualTo(code);
    if (code == INVALID) {
      assertThat(answer.causes()).containsExactly("FieldValueInvalid status.capacity[storage]");
    }
  }

  /** Copied clusters are stored without validation. */
  @Test
  void storedClaim_withoutRequest_isInvalid() throws IOException, InterruptedException {
    JsonObject stored =
        JsonParser.parseString(
                """
                {"metadata": {"name": "c", "namespace": "default", "uid": "u"},
                 "spec": {"volumeName": "v", "accessModes": ["ReadWriteOnce"]}, "status": {"phase": "Bound"}}
                """)
            .getAsJsonObject();
    server
        .handlers()
        .store(KindCatalogue.CLAIMS)
        .<RuntimeException>write("default/c", current -> stored);
    Client.Answer answer =
        client.merge(CLAIMS + "/c", "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
    assertThat(answer.code()).isEqualTo(INVALID);
    assertThat(answer.causes()).contains("FieldValueRequired spec.resources[storage]");
  }

  @Test
  void volumeCapacity_beyond64Bits_keepsItsMagnitude() throws IOException, InterruptedException {
    Client.Answer answer =
        client.post(
            "/api/v1/persistentvolumes",
            """
            {"metadata": {"name": "v"}, "spec": {"accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}, "capacity": {"storage": "1000E"}}}
            """);
    assertThat(answer.at("spec", "capacity", "storage")).isEqualTo("1000E");
  }
}
