package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.DriverClaims;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.csi.CsiConnection.Listed;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExaminationTest {
  private static Meta meta(String name) {
    return Builders.metaOf(ObjectKey.cluster(name)).meta();
  }

  private static Volume volume(String name, String driver, String id) {
    return DriverClaims.volume(meta(name), VolumeSource.csi(driver, id));
  }

  private static Attachment attachment(String name, String volume, String node, boolean attached) {
    return new Attachment(meta(name), "d", volume, node, attached, "", "");
  }

  private static CsiNode node(String name) {
    return new CsiNode(meta(name), List.of(new CsiNode.Driver("d", "id-" + name, List.of(), -1)));
  }

  private static Listed on(String... nodes) {
    return new Listed(7, List.of(nodes));
  }

  @Test
  void eachSideMayHaveWhatTheOtherLacks() {
    List<Finding> findings =
        Examination.findings(
            "d",
            Map.of("known", on(), "unknown", on()),
            true,
            new Examination.Cluster(
                List.of(
                    volume("a", "d", "known"),
                    volume("b", "d", "missing"),
                    volume("c", "other", "unknown")),
                List.of(
                    attachment("va-gone", "nowhere", "n1", false),
                    attachment("va-other", "c", "n1", true)),
                List.of(node("n1"))));
    assertThat(findings)
        .containsExactly(
            new Finding.UnknownVolume("unknown", 7),
            new Finding.MissingVolume("b", "missing"),
            new Finding.DanglingAttachment("va-gone", "nowhere"));
    assertThat(findings).extracting(Finding::text).allMatch(t -> t.contains("which"));
  }

  @Test
  void whatIsPublishedIsComparedWithWhatIsAttached() {
    Examination.Cluster cluster =
        new Examination.Cluster(
            List.of(volume("a", "d", "v1"), volume("b", "d", "v2"), volume("c", "d", "v3")),
            List.of(
                attachment("va-a", "a", "n1", true),
                attachment("va-b", "b", "n1", true),
                attachment("va-c", "c", "n1", false)),
            List.of(node("n1"), node("n2")));
    Map<String, Listed> listed =
        Map.of("v1", on("id-n1", "id-n2", "foreign"), "v2", on(), "v3", on("id-n1"));
    assertThat(Examination.findings("d", listed, true, cluster))
        .containsExactlyInAnyOrder(
            new Finding.UnknownPublication("a", "v1", "n2", "id-n2"),
            new Finding.LostPublication("va-b", "b", "n1"));
    assertThat(Examination.findings("d", listed, false, cluster))
        .as("a driver that does not say where")
        .isEmpty();
  }
}
