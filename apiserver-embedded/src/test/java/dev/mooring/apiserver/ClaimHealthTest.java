package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Kubernetes 1.37 with the feature gate CSIVolumeHealth. */
class ClaimHealthTest {
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void healthStatus_patched_isStored() throws Exception {
    client.post(
        CLAIMS,
        "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}");

    Client.Answer answer =
        client.merge(
            CLAIMS + "/c/status",
            "{'status':{'healthStatus':{'healthConditions':[{'status':'Degraded','reason':'Slow','message':'m'}],"
                + "'lastTransitionTime':'2026-01-02T03:04:05Z'}}}");

    assertThat(answer.code()).as(answer.toString()).isEqualTo(200);
    assertThat(answer.at("status", "healthStatus")).contains("Slow");
  }
}
