package dev.mooring.model.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.NodeAffinity.Term;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Expects the zones and regions of csi-translation-lib in Kubernetes 1.36. */
class InTreeTopologyTest extends InTreeVolumesFixture {
  private static final String REGION = "topology.kubernetes.io/region";
  private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";

  private static NodeAffinity affinity(Requirement... expressions) {
    return new NodeAffinity(List.of(new Term(List.of(expressions), List.of())));
  }

  private static Requirement in(String key, String... values) {
    return new Requirement(key, "In", List.of(values));
  }

  private static DynamicTest row(String title, Given volume, NodeAffinity expected) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(translated(volume.translate()).nodeAffinity()).isEqualTo(expected));
  }

  @TestFactory
  Stream<DynamicTest> translate_affinityAndLabels_returnsNodeAffinity() {
    String key = "topology.cinder.csi.openstack.org/zone";
    Given cinder = Given.of("cinder", "volumeID", "v");
    Given vsphere = Given.of("vsphereVolume", "volumePath", "v");
    String zone = "topology.csi.vmware.com/zone";
    String region = "topology.csi.vmware.com/region";
    Requirement otherRequirement = in("other", "x");
    NodeAffinity two =
        new NodeAffinity(
            List.of(
                new Term(List.of(otherRequirement), List.of()),
                new Term(List.of(), List.of(in("metadata.name", "n")))));
    return Stream.of(
        row("nothing known", cinder, NodeAffinity.NONE),
        row("a label", cinder.labels(ZONE, "z"), affinity(in(key, "z"))),
        row(
            "label values are sorted and unique",
            cinder.labels(ZONE, "z2__ z1 ____z2"),
            affinity(in(key, "z1", "z2"))),
        row("an empty label", cinder.labels(ZONE, ""), NodeAffinity.NONE),
        row("an older label", cinder.labels(OLD_ZONE, "z"), affinity(in(key, "z"))),
        row(
            "current label takes precedence",
            cinder.labels(ZONE, "z", OLD_ZONE, "old"),
            affinity(in(key, "z"))),
        row("even an empty one", cinder.labels(ZONE, "", OLD_ZONE, "old"), NodeAffinity.NONE),
        row(
            "affinity takes precedence over labels",
            cinder.labels(ZONE, "z").affinity(affinity(in(ZONE, "a"), otherRequirement)),
            affinity(in(key, "a"), otherRequirement)),
        row(
            "deprecated zone and region in the affinity",
            cinder.affinity(affinity(in(OLD_ZONE, "a"), in(OLD_REGION, "r"))),
            affinity(in(key, "a"), in(REGION, "r"))),
        row(
            "current key in the affinity, deprecated key unchanged",
            cinder.affinity(affinity(in(ZONE, "a"), in(OLD_ZONE, "b"))),
            affinity(in(key, "a"), in(OLD_ZONE, "b"))),
        row(
            "operator is unchanged",
            cinder.affinity(affinity(new Requirement(ZONE, "NotIn", List.of("a")))),
            affinity(new Requirement(key, "NotIn", List.of("a")))),
        row(
            "label is added to every term",
            cinder.labels(ZONE, "z").affinity(two),
            new NodeAffinity(
                List.of(
                    new Term(List.of(otherRequirement, in(key, "z")), List.of()),
                    new Term(List.of(in(key, "z")), List.of(in("metadata.name", "n")))))),
        row(
            "EBS",
            Given.of("awsElasticBlockStore", "volumeID", "v").labels(ZONE, "z"),
            affinity(in("topology.ebs.csi.aws.com/zone", "z"))),
        row(
            "GCE",
            Given.of("gcePersistentDisk", "pdName", "v").labels(ZONE, "z"),
            affinity(in("topology.gke.io/zone", "z"))),
        row(
            "Azure disk: as it was",
            Given.of("azureDisk", "diskURI", "v").affinity(affinity(in(ZONE, "z"))),
            affinity(in(ZONE, "z"))),
        row(
            "Portworx: as it was",
            Given.of("portworxVolume", "volumeID", "v").labels(ZONE, "z"),
            NodeAffinity.NONE),
        row(
            "vSphere: zone and region",
            vsphere.labels(ZONE, "z", REGION, "r"),
            affinity(in(zone, "z"), in(region, "r"))),
        row("vSphere: one zone only", vsphere.labels(ZONE, "z1__z2"), affinity(in(zone, "z1__z2"))),
        row(
            "vSphere: older",
            vsphere.labels(OLD_ZONE, "z", OLD_REGION, "r"),
            affinity(in(zone, "z"), in(region, "r"))),
        row("vSphere: older region only", vsphere.labels(OLD_REGION, "r"), NodeAffinity.NONE),
        row(
            "vSphere: affinity",
            vsphere.labels(REGION, "l").affinity(affinity(in(ZONE, "z"), in(REGION, "r"))),
            affinity(in(zone, "z"), in(region, "r"))));
  }
}
