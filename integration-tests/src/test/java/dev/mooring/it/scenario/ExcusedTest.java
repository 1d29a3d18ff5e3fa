package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.faults.FaultProxy.Victim;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which differences the faults of a run excuse. */
class ExcusedTest {
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

  private static boolean covers(JsonObject end, String difference, Victim... victims) {
    return new Excused(HAS_C, end, List.of(victims)).covers(difference);
  }

  @Test
  void swappedClaims_failedVolumeWrite_areExcused() {
    Victim write = Victim.conflicting("PATCH", VOLUMES + "/v");
    assertThat(covers(HAS_D, ".persistentvolumes.v.spec.claimRef.name: 1 -> 2", write)).isTrue();
    assertThat(covers(HAS_D, ".persistentvolumeclaims.ns/c: 1 -> absent", write)).isTrue();
    assertThat(covers(HAS_D, ".persistentvolumeclaims.ns/d.spec: 1 -> 2", write)).isTrue();
    assertThat(
            covers(
                HAS_D, ".events.PersistentVolumeClaim/c Normal FailedBinding: absent -> 1", write))
        .isTrue();
    assertThat(covers(HAS_D, ".persistentvolumeclaims.ns/dd.spec: 1 -> 2", write)).isFalse();
  }

  @Test
  void swappedClaims_noFailedWrite_areNotExcused() {
    String difference = ".persistentvolumes.v.spec.claimRef.name: 1 -> 2";
    assertThat(covers(HAS_D, difference)).isFalse();
    assertThat(covers(HAS_D, difference, Victim.conflicting("PATCH", VOLUMES + "/w"))).isFalse();
    assertThat(covers(state("d", "Lost"), difference, Victim.conflicting("PATCH", VOLUMES + "/v")))
        .isFalse();
    assertThat(covers(HAS_C, difference, Victim.conflicting("PATCH", VOLUMES + "/v"))).isFalse();
  }

  @Test
  void missedWaitEvent_claimNoLongerWaits_isExcused() {
    String difference = ".events.PersistentVolumeClaim/c Normal FailedBinding: 1 -> absent";
    Victim list = Victim.conflicting("GET", VOLUMES);
    assertThat(covers(HAS_C, difference, list)).isTrue();
    assertThat(covers(HAS_C, difference)).isFalse();
    assertThat(covers(state("c", "Pending"), difference, list)).isFalse();
    assertThat(covers(HAS_C, difference.replace("FailedBinding", "Bound"), list)).isFalse();
  }
}
