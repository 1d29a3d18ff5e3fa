package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApplyTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static String map(String data) {
    return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'},'data':{" + data + "}}";
  }

  @Test
  void apply_fieldOfAnotherOwner_conflictsUnlessForced() throws Exception {
    client.apply(MAPS + "/m", "alice", map("'k':'1'"));

    Client.Answer conflict = client.apply(MAPS + "/m", "bob", map("'k':'2'"));

    assertThat(conflict.code()).isEqualTo(409);
    assertThat(conflict.causes()).containsExactly("FieldManagerConflict .data.k");
    assertThat(client.apply(MAPS + "/m?force=true", "bob", map("'k':'2'")).at("data", "k"))
        .isEqualTo("2");
  }

  @Test
  void apply_omittedField_isRemovedUnlessSharedWithAnotherOwner() throws Exception {
    client.apply(MAPS + "/m", "alice", map("'x':'1','y':'1'"));
    client.apply(MAPS + "/m", "bob", map("'x':'1'"));

    assertThat(client.apply(MAPS + "/m", "alice", map("'z':'1'")).at("data"))
        .isEqualTo("{\"x\":\"1\",\"z\":\"1\"}");
  }

  @Test
  void managedFields_anyWrite_isRecorded() throws Exception {
    client.post(MAPS + "?fieldManager=one", map("'a':'1'"));

    Client.Answer patched = client.merge(MAPS + "/m?fieldManager=two", "{'data':{'b':'1'}}");

    assertThat(patched.at("metadata", "managedFields"))
        .contains("\"manager\":\"one\"", "\"manager\":\"two\"", "\"f:b\":{}");
  }

  @Test
  void write_withoutChange_keepsTheVersion() throws Exception {
    String version =
        client.apply(MAPS + "/m", "a", map("'k':'1'")).at("metadata", "resourceVersion");

    assertThat(client.apply(MAPS + "/m", "a", map("'k':'1'")).at("metadata", "resourceVersion"))
        .isEqualTo(version);
  }
}
