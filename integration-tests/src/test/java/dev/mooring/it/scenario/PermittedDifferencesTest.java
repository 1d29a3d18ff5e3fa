package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.faults.FaultProxy.FaultedRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which differences the faults of a run excuse. */
class PermittedDifferencesTest {
  private static final String VOLUMES = "/api/v1/persistentvolumes";
  private static final JsonObject HAS_C = state("c", "Bound");
  private static final JsonObject HAS_D = state("d", "Bound");

  private static JsonObject state(String claim, String phase) {
    return JsonParser.parseString(
            """
            {"persistentvolumes": {"v": {"spec": {"claimRef": {"namespace": "ns", "name": "%1$s"}}}},
             "persistentvolumeclaims": {"ns/%1$s":
               {"spec": {"volumeName": "v"}, "status": {"phase": "%2$s"}}}}\
            """
                .formatted(claim, phase))
        .getAsJsonObject();
  }

  private static boolean permits(JsonObject end, String difference, FaultedRequest... victims) {
    return new PermittedDifferences(HAS_C, end, List.of(victims)).permits(difference);
  }

  @Test
  void swappedClaims_failedVolumeWrite_areExcused() {
    FaultedRequest write = FaultedRequest.conflicting("PATCH", VOLUMES + "/v");
    assertThat(permits(HAS_D, ".persistentvolumes.v.spec.claimRef.name: 1 -> 2", write)).isTrue();
    assertThat(permits(HAS_D, ".persistentvolumeclaims.ns/c: 1 -> absent", write)).isTrue();
    assertThat(permits(HAS_D, ".persistentvolumeclaims.ns/d.spec: 1 -> 2", write)).isTrue();
    assertThat(
            permits(
                HAS_D, ".events.PersistentVolumeClaim/c Normal FailedBinding: absent -> 1", write))
        .isTrue();
    assertThat(permits(HAS_D, ".persistentvolumeclaims.ns/dd.spec: 1 -> 2", write)).isFalse();
  }

  @Test
  void swappedClaims_noFailedWrite_areNotExcused() {
    String difference = ".persistentvolumes.v.spec.claimRef.name: 1 -> 2";
    assertThat(permits(HAS_D, difference)).isFalse();
    assertThat(permits(HAS_D, difference, FaultedRequest.conflicting("PATCH", VOLUMES + "/w")))
        .isFalse();
    assertThat(
            permits(
                state("d", "Lost"),
                difference,
                FaultedRequest.conflicting("PATCH", VOLUMES + "/v")))
        .isFalse();
    assertThat(permits(HAS_C, difference, FaultedRequest.conflicting("PATCH", VOLUMES + "/v")))
        .isFalse();
  }

  @Test
  void missedWaitEvent_claimNoLongerWaits_isExcused() {
    String difference = ".events.PersistentVolumeClaim/c Normal FailedBinding: 1 -> absent";
    FaultedRequest list = FaultedRequest.conflicting("GET", VOLUMES);
    assertThat(permits(HAS_C, difference, list)).isTrue();
    assertThat(permits(HAS_C, difference)).isFalse();
    assertThat(permits(state("c", "Pending"), difference, list)).isFalse();
    assertThat(permits(HAS_C, difference.replace("FailedBinding", "Bound"), list)).isFalse();
  }
}
