package dev.mooring.binder.execute;

import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.live.RawObject;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecyclerPodTemplatesTest {
  private final RecyclerPodTemplates templates =
      new RecyclerPodTemplates(
          Map.of(
              "nfs",
              new RecyclerPodTemplates.PodSettings(
                  "default", 300, 30, RecyclerPodTemplates.DEFAULT_TEMPLATE)),
          RecyclerStyle.MOORING);

  /** The size of an NFS volume need not be real, and may exceed that of any storage. */
  @ParameterizedTest
  @CsvSource({
    "1Gi,     300",
    "20Gi,    600",
    "68Pi,    2139095040",
    "69Pi,    2147483647",
    "7Ei,     2147483647",
    "800E,    2147483647"
  })
  void createPod_size_determinesDeadlineThatTheServerAccepts(String size, long seconds) {
    Volume volume = volume("v", size, v -> v.source(VolumeSource.nfs("s", "/")));
    RawObject pod = new RawObject(templates.createPod(volume, templates.key(volume)).members());
    assertThat(pod.at("spec").members().get("activeDeadlineSeconds")).isEqualTo(seconds);
  }
}
