package dev.mooring.model.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.NodeAffinity.Term;
import dev.mooring.model.migration.CsiVolume.Secret;
import dev.mooring.model.migration.InTreeForm.Form;
import dev.mooring.model.migration.InTreeForm.ProvisionedVolume;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expects each field that csi-translation-lib in Kubernetes 1.36 sets. */
class InTreeFormTest {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String REGION = "topology.kubernetes.io/region";
  private static final String DISK =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d";

  private static NodeAffinity anyOf(Requirement... terms) {
    return new NodeAffinity(
        Arrays.stream(terms).map(term -> new Term(List.of(term), List.of())).toList());
  }

  private static Requirement in(String key, String... values) {
    return new Requirement(key, "In", List.of(values));
  }

  private static ProvisionedVolume provisioned(String handle, Map<String, String> attributes) {
    return provisioned(handle, attributes, null, NodeAffinity.NONE);
  }

  private static ProvisionedVolume provisioned(
      String handle,
      Map<String, String> attributes,
      @Nullable Secret secret,
      NodeAffinity affinity) {
    return new ProvisionedVolume(handle, "ext4", true, attributes, secret, affinity);
  }

  private static Form.InTree form(String plugin, ProvisionedVolume provisioned) {
    return (Form.InTree) InTreeForm.of("kubernetes.io/" + plugin, provisioned);
  }

  @Test
  void form_ebsVolume_hasAllFields() {
    Form.InTree form =
        form(
            "aws-ebs",
            provisioned(
                "vol-1",
                Map.of("partition", "3"),
                null,
                anyOf(in("topology.ebs.csi.aws.com/zone", "us-east-1a"))));
    assertThat(form.type()).isEqualTo("awsElasticBlockStore");
    assertThat(form.source())
        .isEqualTo(Map.of("volumeID", "vol-1", "fsType", "ext4", "readOnly", true, "partition", 3));
    assertThat(form.affinity())
        .isEqualTo(
            new NodeAffinity(
                List.of(
                    new Term(
                        List.of(in(ZONE, "us-east-1a"), in(REGION, "us-east-1")), List.of()))));
    assertThat(form.labels()).isEqualTo(Map.of(ZONE, "us-east-1a", REGION, "us-east-1"));
    assertThat(form.annotations()).isEmpty();
  }

  @Test
  void form_unsetFields_areOmitted() {
    Form.InTree form =
        form(
            "aws-ebs",
            new ProvisionedVolume("vol-1", "", false, Map.of(), null, NodeAffinity.NONE));
    assertThat(form.source()).isEqualTo(Map.of("volumeID", "vol-1"));
    assertThat(form.labels()).isEmpty();
    assertThat(form.affinity()).isEqualTo(NodeAffinity.NONE);
  }

  @Test
  void form_gceDisk_hasAllFields() {
    Form.InTree form =
        form(
            "gce-pd",
            provisioned(
                "projects/p/regions/us-east1/disks/d",
                Map.of("partition", ""),
                null,
                anyOf(
                    in("topology.gke.io/zone", "us-east1-b"),
                    in("topology.gke.io/zone", "us-east1-a"))));
    assertThat(form.type()).isEqualTo("gcePersistentDisk");
    assertThat(form.source()).isEqualTo(Map.of("pdName", "d", "fsType", "ext4", "readOnly", true));
    assertThat(form.labels()).isEqualTo(Map.of(ZONE, "us-east1-a__us-east1-b", REGION, "us-east1"));
    assertThat(form.affinity().terms())
        .containsExactly(
            new Term(List.of(in(ZONE, "us-east1-b"), in(REGION, "us-east1")), List.of()),
            new Term(List.of(in(ZONE, "us-east1-a"), in(REGION, "us-east1")), List.of()));
  }

  @Test
  void form_cinderVolume_hasAllFields() {
    Form.InTree form =
        form(
            "cinder",
            provisioned(
                "id", Map.of(), null, anyOf(in("topology.cinder.csi.openstack.org/zone", "nova"))));
    assertThat(form.type()).isEqualTo("cinder");
    assertThat(form.source())
        .isEqualTo(Map.of("volumeID", "id", "fsType", "ext4", "readOnly", true));
    assertThat(form.affinity()).isEqualTo(anyOf(in(ZONE, "nova")));
    assertThat(form.labels()).as("labels without a region").isEqualTo(Map.of(ZONE, "nova"));
  }

  @Test
  void form_azureDisk_hasAllFields() {
    NodeAffinity affinity = anyOf(in("topology.disk.csi.azure.com/zone", "westus-1"));
    Form.InTree form =
        form(
            "azure-disk",
            provisioned(DISK, Map.of("cachingMode", "None", "x", "y"), null, affinity));
    assertThat(form.type()).isEqualTo("azureDisk");
    assertThat(form.source())
        .isEqualTo(
            Map.of(
                "diskName",
                "d",
                "diskURI",
                DISK,
                "fsType",
                "ext4",
                "readOnly",
                true,
                "kind",
                "Managed",
                "cachingMode",
                "None"));
    assertThat(form.affinity()).as("affinity of the driver").isEqualTo(affinity);
    assertThat(form("azure-disk", provisioned(DISK, Map.of("fsType", "xfs"))).source())
        .containsEntry("fsType", "xfs");
  }

  @Test
  void form_azureShare_hasAllFields() {
    Form.InTree withSecret =
        form(
            "azure-file",
            provisioned(
                "rg#acc#share#",
                Map.of("shareName", "s", "secretName", "k", "secretNamespace", "n")));
    assertThat(withSecret.type()).isEqualTo("azureFile");
    assertThat(withSecret.source())
        .isEqualTo(
            Map.of("secretName", "k", "shareName", "s", "readOnly", true, "secretNamespace", "n"));
    assertThat(withSecret.annotations()).isEmpty();
    Form.InTree byHandle = form("azure-file", provisioned("rg#acc#share#", Map.of()));
    assertThat(byHandle.source())
        .isEqualTo(
            Map.of(
                "secretName",
                "azure-storage-account-acc-secret",
                "shareName",
                "share",
                "readOnly",
                true,
                "secretNamespace",
                "default"));
    assertThat(byHandle.annotations())
        .isEqualTo(Map.of("kubernetes.io/azure-file-resource-group", "rg"));
    Form.InTree bySecret =
        form(
            "azure-file",
            provisioned(
                "rg#acc#share#",
                Map.of("sharename", "s"),
                new Secret("staged", "ns"),
                NodeAffinity.NONE));
    assertThat(bySecret.source())
        .containsEntry("secretName", "staged")
        .containsEntry("secretNamespace", "ns");
  }

  @Test
  void form_vsphereVolume_hasAllFields() {
    Form.InTree form =
        form(
            "vsphere-volume",
            provisioned(
                "id",
                Map.of("initialvolumefilepath", "[ds] kubevols/v.vmdk"),
                null,
                new NodeAffinity(
                    List.of(
                        new Term(
                            List.of(
                                in("topology.csi.vmware.com/zone", "z"),
                                in("topology.csi.vmware.com/region", "r")),
                            List.of())))));
    assertThat(form.type()).isEqualTo("vsphereVolume");
    assertThat(form.source())
        .isEqualTo(Map.of("volumePath", "[ds] kubevols/v.vmdk", "fsType", "ext4"));
    assertThat(form.affinity().terms())
        .containsExactly(new Term(List.of(in(ZONE, "z"), in(REGION, "r")), List.of()));
    assertThat(form.labels()).isEqualTo(Map.of(ZONE, "z", REGION, "r"));
  }

  @Test
  void form_portworxVolume_hasAllFields() {
    Form.InTree form = form("portworx-volume", provisioned("123", Map.of()));
    assertThat(form.type()).isEqualTo("portworxVolume");
    assertThat(form.source())
        .isEqualTo(Map.of("volumeID", "123", "fsType", "ext4", "readOnly", true));
  }

  @ParameterizedTest
  @CsvSource({
    "aws-ebs,        vol-1, partition, x",
    "aws-ebs,        vol-1, partition, ''",
    "gce-pd,         short, a,         b",
    "azure-disk,     d,     a,         b",
    "azure-file,     a#b,   a,         b",
    "vsphere-volume, id,    a,         b",
    "no-plugin,      id,    a,         b",
  })
  void form_invalidHandleOrAttribute_isRefused(
      String plugin, String handle, String key, String value) {
    assertThat(InTreeForm.of("kubernetes.io/" + plugin, provisioned(handle, Map.of(key, value))))
        .isInstanceOf(Form.Refused.class);
  }

  @ParameterizedTest
  @CsvSource({
    "us-west-2a,              us-west-2",
    "us-gov-east-1a,          us-gov-east-1",
    "us-west-2-lax-1a,        us-west-2",
    "us-east-1-wl1-bos-wlz-1, us-east-1",
  })
  void ofAws_zones_returnCommonRegion(String zone, String region) {
    assertThat(ZoneRegions.ofAws(List.of(zone))).contains(region);
    assertThat(ZoneRegions.ofAws(List.of(zone, "eu-west-1a"))).isEmpty();
    assertThat(ZoneRegions.ofAws(List.of())).isEmpty();
    assertThat(ZoneRegions.ofAws(List.of("nowhere"))).isEmpty();
  }
}
