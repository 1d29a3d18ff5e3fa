package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProvenanceStatementTest {
  /** The order of a map from {@code Map.of} differs between processes. */
  @Test
  void json_anyProcess_hasMembersInFixedOrder() {
    String json =
        new ProvenanceStatement()
            .addSubject("mooring.zip", "ab")
            .addMaterial("pkg:maven/a/b@1", "cd")
            .json("urn:builder");
    assertThat(json)
        .containsSubsequence(
            "\"_type\"",
            "\"subject\"",
            "\"name\": \"mooring.zip\"",
            "\"digest\"",
            "\"sha256\": \"ab\"",
            "\"predicateType\"",
            "\"buildDefinition\"",
            "\"uri\": \"pkg:maven/a/b@1\"",
            "\"sha256\": \"cd\"",
            "\"runDetails\"",
            "\"id\": \"urn:builder\"");
  }
}
