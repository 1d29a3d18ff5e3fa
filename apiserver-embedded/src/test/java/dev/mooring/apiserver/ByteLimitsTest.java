package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.kinds.model.TextSize;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kubernetes counts the bytes of a text, not its characters. */
class ByteLimitsTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments";
  private static final String CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
  private static final String CSI_NODES = "/apis/storage.k8s.io/v1/csinodes";
  private static final String WIDE = "é"; // two bytes

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private Client.Answer postAnnotated(int length) throws Exception {
    return client.post(
        CONFIG_MAPS,
        "{'metadata':{'name':'c','annotations':{'a':'%s'}}}".formatted(WIDE.repeat(length)));
  }

  @Test
  void annotations_moreBytesThanAllowed_areRefused() throws Exception {
    assertThat(postAnnotated(128 * 1024).causes())
        .containsExactly("FieldValueTooLong metadata.annotations");
    assertThat(postAnnotated(128 * 1024 - 1).code()).isEqualTo(201);
  }

  private Client.Answer patchError(int length) throws Exception {
    return client.merge(
        ATTACHMENTS + "/a/status",
        "{'status':{'attachError':{'message':'%s'}}}".formatted(WIDE.repeat(length)));
  }

  @Test
  void attachError_moreBytesThanAllowed_isRefused() throws Exception {
    client.post(
        ATTACHMENTS,
        "{'metadata':{'name':'a'},'spec':{'attacher':'d','nodeName':'n','source':{'persistentVolumeName':'v'}}}");
    assertThat(patchError(513).causes())
        .containsExactly("FieldValueTooLong status.attachError.message");
    assertThat(patchError(512).code()).isEqualTo(200);
  }

  private Client.Answer postParameters(int length) throws Exception {
    return client.post(
        CLASSES,
        "{'metadata':{'name':'s'},'provisioner':'p','parameters':{'aa':'%s'}}"
            .formatted(WIDE.repeat(length)));
  }

  @Test
  void parameters_moreBytesThanAllowed_areRefused() throws Exception {
    assertThat(postParameters(128 * 1024).causes()).containsExactly("FieldValueTooLong parameters");
    assertThat(postParameters(128 * 1024 - 1).code()).isEqualTo(201);
  }

  private Client.Answer postNodeId(int length) throws Exception {
    return client.post(
        CSI_NODES,
        "{'metadata':{'name':'n'},'spec':{'drivers':[{'name':'d','nodeID':'%s'}]}}"
            .formatted(WIDE.repeat(length)));
  }

  @Test
  void nodeId_moreBytesThanAllowed_isRefused() throws Exception {
    assertThat(postNodeId(129).causes())
        .containsExactly("FieldValueInvalid spec.drivers[0].nodeID");
    assertThat(postNodeId(128).code()).isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource({"64, 201", "65, 422"})
  void fieldManager_eachLength_isRefusedBeyondItsBytes(int length, int code) throws Exception {
    String manager = URLEncoder.encode(WIDE.repeat(length), StandardCharsets.UTF_8);
    assertThat(
            client
                .post(CONFIG_MAPS + "?fieldManager=" + manager, "{'metadata':{'name':'c'}}")
                .code())
        .isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "é", "€", "😀", "aé€😀a"})
  void countBytes_eachText_returnsItsEncodedSize(String text) {
    assertThat(TextSize.countBytes(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }
}
