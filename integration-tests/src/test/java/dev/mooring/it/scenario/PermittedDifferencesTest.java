package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.faults.FaultProxy.FaultedRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which differences the faults of a run permit. */
class PermittedDifferencesTest {
  private static final String VOLUMES = "/api/v1/persistentvolumes";
  private static final JsonObject CLAIM_C_BOUND = endState("c", "Bound");
  private static final JsonObject CLAIM_D_BOUND = endState("d", "Bound");

  private static JsonObject endState(String claim, String phase) {
    return JsonParser.parseString(
            """
            {"persistentvolumes": {"v": {"spec": {"claimRef": {"namespace": "ns", "name": "%1$s"}}}},
             "persistentvolumeclaims": {"ns/%1$s":
               {"spec": {"volumeName": "v"}, "status": {"phase": "%2$s"}}}}\
            """
                .formatted(claim, phase))
        .getAsJsonObject();
  }

  private static boolean isPermitted(
      JsonObject state, String difference, FaultedRequest... faultedRequests) {
    return new PermittedDifferences(CLAIM_C_BOUND, state, List.of(faultedRequests))
        .isPermitted(difference);
  }

  @Test
  void swappedClaims_failedVolumeWrite_arePermitted() {
    FaultedRequest write = FaultedRequest.conflicting("PATCH", VOLUMES + "/v");
    assertThat(isPermitted(CLAIM_D_BOUND, ".persistentvolumes.v.spec.claimRef.name: 1 -> 2", write))
        .isTrue();
    assertThat(isPermitted(CLAIM_D_BOUND, ".persistentvolumeclaims.ns/c: 1 -> absent", write))
        .isTrue();
    assertThat(isPermitted(CLAIM_D_BOUND, ".persistentvolumeclaims.ns/d.spec: 1 -> 2", write))
        .isTrue();
    assertThat(
            isPermitted(
                CLAIM_D_BOUND,
                ".events.PersistentVolumeClaim/c Normal FailedBinding: absent -> 1",
                write))
        .isTrue();
    assertThat(isPermitted(CLAIM_D_BOUND, ".persistentvolumeclaims.ns/dd.spec: 1 -> 2", write))
        .isFalse();
  }

  @Test
  void swappedClaims_noFailedWriteOrSwap_areNotPermitted() {
    String difference = ".persistentvolumes.v.spec.claimRef.name: 1 -> 2";
    assertThat(isPermitted(CLAIM_D_BOUND, difference)).isFalse();
    assertThat(
            isPermitted(
                CLAIM_D_BOUND, difference, FaultedRequest.conflicting("PATCH", VOLUMES + "/w")))
        .isFalse();
    assertThat(
            isPermitted(
                endState("d", "Lost"),
                difference,
                FaultedRequest.conflicting("PATCH", VOLUMES + "/v")))
        .isFalse();
    assertThat(
            isPermitted(
                CLAIM_C_BOUND, difference, FaultedRequest.conflicting("PATCH", VOLUMES + "/v")))
        .isFalse();
  }

  @Test
  void missingWaitEvent_faultAndBoundClaim_isPermitted() {
    String difference = ".events.PersistentVolumeClaim/c Normal FailedBinding: 1 -> absent";
    FaultedRequest list = FaultedRequest.conflicting("GET", VOLUMES);
    assertThat(isPermitted(CLAIM_C_BOUND, difference, list)).isTrue();
    assertThat(isPermitted(CLAIM_C_BOUND, difference)).isFalse();
    assertThat(isPermitted(endState("c", "Pending"), difference, list)).isFalse();
    assertThat(isPermitted(CLAIM_C_BOUND, difference.replace("FailedBinding", "Bound"), list))
        .isFalse();
  }
}
