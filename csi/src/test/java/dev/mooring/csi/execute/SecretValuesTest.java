package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values of Secrets: drivers receive them unchanged or not at all. */
class SecretValuesTest extends VolumesFixture {
  private static final String DELETION = "volume.kubernetes.io/provisioner-deletion-secret-";
  private static final String NOT_UTF_8 = "/w==";

  private void setValue(String base64) {
    cluster.patch(Kind.SECRET, SECRET, Document.empty().set(Map.of("k", base64), "data"));
  }

  @Test
  void plan_valueIsNoText_isRefused() throws InterruptedException {
    setValue(NOT_UTF_8);
    assertThat(volumes.plan(order("empty")))
        .isInstanceOfSatisfying(
            Plan.Blocked.class,
            it ->
                assertThat(it.reason().message())
                    .contains("secret \"vault/keys\"", "key \"k\" is not UTF-8 text"));
  }

  @Test
  void create_valueIsText_isSentUnchanged() throws InterruptedException {
    setValue("w6Q=");
    List<Map<String, String>> sentSecrets = new ArrayList<>();
    driver.create =
        call -> {
          sentSecrets.add(call.secrets().values());
          return new DriverReply.Ok<>(
              new CsiVolume("h", call.requiredBytes(), Map.of(), false, List.of()));
        };
    ((Plan.Ready) volumes.plan(order("empty"))).call().run();
    assertThat(sentSecrets).containsExactly(Map.of("k", "\u00e4"));
  }

  /** A driver without its Secret may not find the volume and report it as deleted. */
  @Test
  void delete_valueIsNoText_keepsVolume() throws InterruptedException {
    setValue(NOT_UTF_8);
    Volume protectedBySecret =
        volume(
            Map.of(DELETION + "name", SECRET.name(), DELETION + "namespace", SECRET.namespace()));
    assertThat(destroy(protectedBySecret))
        .isInstanceOfSatisfying(
            DestroyResult.Failed.class,
            it -> assertThat(it.message()).contains("key \"k\" is not UTF-8 text"));
    assertThat(driver.deletions).hasValue(0);
  }
}
