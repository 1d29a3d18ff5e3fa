package dev.mooring.model.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.AccessModes;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.NodeAffinity.Term;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.model.migration.Translation.NotMigrated;
import dev.mooring.model.migration.Translation.Refused;
import dev.mooring.model.migration.Translation.Translated;
import dev.mooring.testkit.Builders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each field that csi-translation-lib of Kubernetes 1.36 fills, type by type. */
class InTreeVolumesTest {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String REGION = "topology.kubernetes.io/region";
  private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";

  private static Map<String, String> map(String... pairs) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  /** A volume named pv, before translation. */
  private record Given(
      VolumeSource source,
      Map<String, String> labels,
      Map<String, String> annotations,
      AccessModes modes,
      NodeAffinity affinity,
      @Nullable ClaimRef claim) {
    static Given of(String type, String... attributes) {
      return new Given(
          new VolumeSource(type, map(attributes)),
          Map.of(),
          Map.of(),
          AccessModes.of("ReadWriteOnce"),
          NodeAffinity.NONE,
          null);
    }

    Given labels(String... pairs) {
      return new Given(source, map(pairs), annotations, modes, affinity, claim);
    }

    Given annotations(String... pairs) {
      return new Given(source, labels, map(pairs), modes, affinity, claim);
    }

    Given allowing(String... written) {
      return new Given(source, labels, annotations, AccessModes.of(written), affinity, claim);
    }

    Given affinity(NodeAffinity now) {
      return new Given(source, labels, annotations, modes, now, claim);
    }

    Given claimedIn(String namespace) {
      return new Given(
          source,
          labels,
          annotations,
          modes,
          affinity,
          new ClaimRef(ObjectKey.of(namespace, "c"), Uid.of("u")));
    }

    Translation translate() {
      return InTreeVolumes.translate(
          Builders.volume(ObjectKey.cluster("pv"))
              .uid("u")
              .created(1)
              .labels(labels)
              .annotations(annotations)
              .capacity(Map.of())
              .source(source)
              .accessModes(modes)
              .claimRef(claim)
              .volumeMode(VolumeMode.BLOCK)
              .status(new Volume.Status(VolumePhase.BOUND, "", ""))
              .build(),
          affinity);
    }
  }

  private static CsiVolume translated(Translation translation) {
    if (translation instanceof Translated(CsiVolume volume)) {
      return volume;
    }
    throw new AssertionError(String.valueOf(translation));
  }

  private static DynamicTest row(String title, Given given, String spec) {
    return DynamicTest.dynamicTest(
        title,
        () -> {
          CsiVolume volume = translated(given.translate());
          assertThat(volume.name()).isEqualTo("pv");
          assertThat(volume.spec()).hasToString(spec);
        });
  }

  private static DynamicTest refused(String title, Given given, String reason) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(given.translate()).isEqualTo(new Refused(reason)));
  }

  /** The specification of a volume for one writer. */
  private static String one(String csi) {
    return modes("[ReadWriteOnce]", csi);
  }

  private static String modes(String modes, String csi) {
    return "{accessModes=" + modes + ", csi={" + csi + "}, volumeMode=Block}";
  }

  @TestFactory
  Stream<DynamicTest> awsElasticBlockStore() {
    String csi = "driver=ebs.csi.aws.com, volumeHandle=vol-1, ";
    String whole = one(csi + "volumeAttributes={partition=0}");
    return Stream.of(
        row("id", Given.of("awsElasticBlockStore", "volumeID", "vol-1"), whole),
        row(
            "zone and id",
            Given.of("awsElasticBlockStore", "volumeID", "aws://us-1a/vol-1"),
            whole),
        row("no zone", Given.of("awsElasticBlockStore", "volumeID", "aws:///vol-1"), whole),
        row("slashes", Given.of("awsElasticBlockStore", "volumeID", "aws:////vol-1/"), whole),
        row("query", Given.of("awsElasticBlockStore", "volumeID", "aws://z/vol-1?a=b#c"), whole),
        row("escapes", Given.of("awsElasticBlockStore", "volumeID", "aws://z/vol%2D1"), whole),
        row(
            "a bare id may be anything",
            Given.of("awsElasticBlockStore", "volumeID", "disk"),
            one("driver=ebs.csi.aws.com, volumeHandle=disk, volumeAttributes={partition=0}")),
        row(
            "partition 0 is none",
            Given.of("awsElasticBlockStore", "volumeID", "vol-1", "partition", "0"),
            whole),
        row(
            "everything",
            Given.of(
                "awsElasticBlockStore",
                "volumeID",
                "vol-1",
                "partition",
                "3",
                "fsType",
                "xfs",
                "readOnly",
                "true"),
            one(csi + "readOnly=true, fsType=xfs, volumeAttributes={partition=3}")),
        row(
            "modes stay",
            Given.of("awsElasticBlockStore", "volumeID", "vol-1")
                .allowing("ReadWriteOnce", "ReadWriteMany"),
            modes("[ReadWriteOnce, ReadWriteMany]", csi + "volumeAttributes={partition=0}")),
        refused("no id", Given.of("awsElasticBlockStore"), "awsElasticBlockStore has no volumeID"),
        refused(
            "the id as host",
            Given.of("awsElasticBlockStore", "volumeID", "aws://vol-1"),
            "\"aws://vol-1\" is no address of an EBS volume"),
        refused(
            "no volume",
            Given.of("awsElasticBlockStore", "volumeID", "aws://z/snap-1"),
            "\"aws://z/snap-1\" is no address of an EBS volume"),
        refused(
            "a path",
            Given.of("awsElasticBlockStore", "volumeID", "aws://z/vol-1/2"),
            "\"aws://z/vol-1/2\" is no address of an EBS volume"),
        refused(
            "a broken escape",
            Given.of("awsElasticBlockStore", "volumeID", "aws://z/vol-%1"),
            "\"aws://z/vol-%1\" is no address of an EBS volume"));
  }

  private static String gce(String place) {
    return "driver=pd.csi.storage.gke.io, volumeHandle=projects/UNSPECIFIED/"
        + place
        + "/disks/d, ";
  }

  private static DynamicTest gceHandle(String title, String place, String... labels) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(
                    translated(
                            Given.of("gcePersistentDisk", "pdName", "d").labels(labels).translate())
                        .handle())
                .isEqualTo("projects/UNSPECIFIED/" + place + "/disks/d"));
  }

  private static DynamicTest gceModes(String modes, String... given) {
    return DynamicTest.dynamicTest(
        List.of(given) + " are " + modes,
        () ->
            assertThat(
                    translated(
                            Given.of("gcePersistentDisk", "pdName", "d")
                                .allowing(given)
                                .translate())
                        .accessModes())
                .hasToString(modes));
  }

  @TestFactory
  Stream<DynamicTest> gcePersistentDisk() {
    String zones = "the zones in its labels are not those of one region";
    return Stream.of(
        row(
            "name",
            Given.of("gcePersistentDisk", "pdName", "d"),
            one(gce("zones/UNSPECIFIED") + "volumeAttributes={partition=}")),
        row(
            "partition 0 is none",
            Given.of("gcePersistentDisk", "pdName", "d", "partition", "0"),
            one(gce("zones/UNSPECIFIED") + "volumeAttributes={partition=}")),
        row(
            "everything",
            Given.of(
                "gcePersistentDisk",
                "pdName",
                "d",
                "partition",
                "2",
                "fsType",
                "ext4",
                "readOnly",
                "true"),
            one(
                gce("zones/UNSPECIFIED")
                    + "readOnly=true, fsType=ext4, volumeAttributes={partition=2}")),
        gceHandle("zone", "zones/us-east1-a", ZONE, "us-east1-a"),
        gceHandle("older zone", "zones/us-east1-a", OLD_ZONE, "us-east1-a"),
        gceHandle(
            "the older counts", "zones/us-east1-b", ZONE, "us-east1-a", OLD_ZONE, "us-east1-b"),
        gceHandle("unless it is empty", "zones/us-east1-a", ZONE, "us-east1-a", OLD_ZONE, ""),
        gceHandle("a zone of any form", "zones/here", ZONE, "here"),
        gceHandle("zones", "regions/us-east1", ZONE, "us-east1-a__us-east1-b"),
        refused(
            "zones of two regions",
            Given.of("gcePersistentDisk", "pdName", "d").labels(ZONE, "us-east1-a__us-west1-b"),
            zones),
        refused(
            "zones of another form",
            Given.of("gcePersistentDisk", "pdName", "d").labels(ZONE, "east__west"),
            zones),
        refused(
            "a zone that is missing",
            Given.of("gcePersistentDisk", "pdName", "d").labels(ZONE, "us-east1-a__"),
            zones),
        refused("no name", Given.of("gcePersistentDisk"), "gcePersistentDisk has no pdName"),
        gceModes("ReadWriteOnce", "ReadWriteOnce"),
        gceModes("ReadOnlyMany", "ReadOnlyMany"),
        gceModes("ReadWriteOnce", "ReadWriteMany"),
        gceModes("ReadWriteOnce", "ReadWriteOnce", "ReadOnlyMany"),
        gceModes("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"),
        gceModes("ReadWriteOnce", "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"),
        gceModes("ReadWriteOnce", "ReadWriteOncePod"),
        gceModes("ReadOnlyMany", "ReadOnlyMany", "ReadWriteOncePod"),
        gceModes("ReadWriteOnce"));
  }

  @TestFactory
  Stream<DynamicTest> cinder() {
    String csi = "driver=cinder.csi.openstack.org, volumeHandle=v";
    return Stream.of(
        row("id", Given.of("cinder", "volumeID", "v"), one(csi)),
        row(
            "everything",
            Given.of("cinder", "volumeID", "v", "fsType", "xfs", "readOnly", "true"),
            one(csi + ", readOnly=true, fsType=xfs")),
        row(
            "modes stay",
            Given.of("cinder", "volumeID", "v").allowing("ReadWriteMany"),
            modes("[ReadWriteMany]", csi)),
        row(
            "no modes stay none",
            Given.of("cinder", "volumeID", "v").allowing(),
            "{csi={" + csi + "}, volumeMode=Block}"),
        refused("no id", Given.of("cinder"), "cinder has no volumeID"));
  }

  @TestFactory
  Stream<DynamicTest> azureDisk() {
    String csi = "driver=disk.csi.azure.com, volumeHandle=/u, ";
    String kind = "azureDisk of kind Dedicated has no CSI driver, only Managed has";
    return Stream.of(
        row(
            "address",
            Given.of("azureDisk", "diskName", "d", "diskURI", "/u"),
            one(csi + "volumeAttributes={kind=Managed}")),
        row(
            "kind in any case",
            Given.of("azureDisk", "diskURI", "/u", "kind", "managed"),
            one(csi + "volumeAttributes={kind=Managed}")),
        row(
            "everything",
            Given.of(
                "azureDisk",
                "diskURI",
                "/u",
                "kind",
                "Managed",
                "cachingMode",
                "None",
                "fsType",
                "xfs",
                "readOnly",
                "true"),
            one(
                csi
                    + "readOnly=true, fsType=xfs, volumeAttributes={cachingmode=None, fstype=xfs, kind=Managed}")),
        row(
            "zone labels say nothing",
            Given.of("azureDisk", "diskURI", "/u").labels(ZONE, "z"),
            one(csi + "volumeAttributes={kind=Managed}")),
        refused("dedicated", Given.of("azureDisk", "diskURI", "/u", "kind", "Dedicated"), kind),
        refused(
            "shared",
            Given.of("azureDisk", "diskURI", "/u", "kind", "Shared"),
            kind.replace("Dedicated", "Shared")),
        refused("no address", Given.of("azureDisk", "diskName", "d"), "azureDisk has no diskURI"));
  }

  @TestFactory
  Stream<DynamicTest> azureFile() {
    String secret = "nodeStageSecretRef=";
    return Stream.of(
        DynamicTest.dynamicTest(
            "everything",
            () -> {
              CsiVolume volume =
                  translated(
                      Given.of(
                              "azureFile",
                              "secretName",
                              "azure-storage-account-acc-secret",
                              "shareName",
                              "s",
                              "secretNamespace",
                              "sn",
                              "readOnly",
                              "true")
                          .annotations(InTreeVolumes.AZURE_FILE_GROUP, "rg")
                          .claimedIn("cn")
                          .translate());
              assertThat(volume.source().attributes())
                  .containsOnly(
                      Map.entry("driver", "file.csi.azure.com"),
                      Map.entry("volumeHandle", "rg#acc#s#pv#sn"),
                      Map.entry("readOnly", "true"));
              assertThat(volume.attributes()).containsOnly(Map.entry("sharename", "s"));
              assertThat(volume.secrets())
                  .containsOnly(
                      Map.entry(
                          "nodeStageSecretRef",
                          new CsiVolume.Secret("azure-storage-account-acc-secret", "sn")));
              assertThat(volume.spec().toString()).contains(secret);
            }),
        DynamicTest.dynamicTest(
            "another secret, in the claim's namespace",
            () ->
                assertThat(
                        translated(
                                Given.of("azureFile", "secretName", "x", "shareName", "s")
                                    .claimedIn("cn")
                                    .translate())
                            .handle())
                    .isEqualTo("#x#s#pv#cn")),
        refused(
            "no namespace",
            Given.of("azureFile", "secretName", "x", "shareName", "s"),
            "azureFile names no namespace of its secret, and no claim has the volume"),
        refused(
            "no secret",
            Given.of("azureFile", "shareName", "s").claimedIn("cn"),
            "azureFile has no secretName"),
        refused(
            "no share",
            Given.of("azureFile", "secretName", "x").claimedIn("cn"),
            "azureFile has no shareName"));
  }

  @TestFactory
  Stream<DynamicTest> vsphereVolume() {
    String csi = "driver=csi.vsphere.vmware.com, volumeHandle=[ds] v.vmdk";
    return Stream.of(
        row("path", Given.of("vsphereVolume", "volumePath", "[ds] v.vmdk"), one(csi)),
        row(
            "everything",
            Given.of(
                "vsphereVolume",
                "volumePath",
                "[ds] v.vmdk",
                "fsType",
                "xfs",
                "storagePolicyName",
                "gold"),
            one(csi + ", fsType=xfs, volumeAttributes={storagepolicyname=gold}")),
        refused("no path", Given.of("vsphereVolume"), "vsphereVolume has no volumePath"));
  }

  @TestFactory
  Stream<DynamicTest> portworxVolume() {
    String csi = "driver=pxd.portworx.com, volumeHandle=v";
    return Stream.of(
        row("id", Given.of("portworxVolume", "volumeID", "v"), one(csi)),
        row(
            "readOnly is left out",
            Given.of("portworxVolume", "volumeID", "v", "fsType", "xfs", "readOnly", "true"),
            one(csi + ", fsType=xfs")),
        row(
            "half a secret is none",
            Given.of("portworxVolume", "volumeID", "v")
                .annotations(InTreeVolumes.PORTWORX_SECRET, "s"),
            one(csi)),
        DynamicTest.dynamicTest(
            "secret",
            () ->
                assertThat(
                        translated(
                                Given.of("portworxVolume", "volumeID", "v")
                                    .annotations(
                                        InTreeVolumes.PORTWORX_SECRET,
                                        "s",
                                        InTreeVolumes.PORTWORX_SECRET_NAMESPACE,
                                        "n")
                                    .translate())
                            .secrets())
                    .hasSize(5)
                    .containsOnlyKeys(
                        "controllerPublishSecretRef",
                        "nodeStageSecretRef",
                        "nodePublishSecretRef",
                        "controllerExpandSecretRef",
                        "nodeExpandSecretRef")
                    .containsValue(new CsiVolume.Secret("s", "n"))),
        refused("no id", Given.of("portworxVolume"), "portworxVolume has no volumeID"));
  }

  private static NodeAffinity affinity(Requirement... expressions) {
    return new NodeAffinity(List.of(new Term(List.of(expressions), List.of())));
  }

  private static Requirement in(String key, String... values) {
    return new Requirement(key, "In", List.of(values));
  }

  private static DynamicTest place(String title, Given given, NodeAffinity expected) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(translated(given.translate()).nodeAffinity()).isEqualTo(expected));
  }

  @TestFactory
  Stream<DynamicTest> nodeAffinity() {
    String key = "topology.cinder.csi.openstack.org/zone";
    Given cinder = Given.of("cinder", "volumeID", "v");
    Given vsphere = Given.of("vsphereVolume", "volumePath", "v");
    String zone = "topology.csi.vmware.com/zone";
    String region = "topology.csi.vmware.com/region";
    Requirement other = in("other", "x");
    NodeAffinity two =
        new NodeAffinity(
            List.of(
                new Term(List.of(other), List.of()),
                new Term(List.of(), List.of(in("metadata.name", "n")))));
    return Stream.of(
        place("nothing known", cinder, NodeAffinity.NONE),
        place("a label", cinder.labels(ZONE, "z"), affinity(in(key, "z"))),
        place(
            "labels, in order and once",
            cinder.labels(ZONE, "z2__ z1 ____z2"),
            affinity(in(key, "z1", "z2"))),
        place("an empty label", cinder.labels(ZONE, ""), NodeAffinity.NONE),
        place("an older label", cinder.labels(OLD_ZONE, "z"), affinity(in(key, "z"))),
        place(
            "here the newer label counts",
            cinder.labels(ZONE, "z", OLD_ZONE, "old"),
            affinity(in(key, "z"))),
        place("even an empty one", cinder.labels(ZONE, "", OLD_ZONE, "old"), NodeAffinity.NONE),
        place(
            "affinity before labels",
            cinder.labels(ZONE, "z").affinity(affinity(in(ZONE, "a"), other)),
            affinity(in(key, "a"), other)),
        place(
            "older affinity, and its region",
            cinder.affinity(affinity(in(OLD_ZONE, "a"), in(OLD_REGION, "r"))),
            affinity(in(key, "a"), in(REGION, "r"))),
        place(
            "newer affinity leaves the older alone",
            cinder.affinity(affinity(in(ZONE, "a"), in(OLD_ZONE, "b"))),
            affinity(in(key, "a"), in(OLD_ZONE, "b"))),
        place(
            "the operator stays",
            cinder.affinity(affinity(new Requirement(ZONE, "NotIn", List.of("a")))),
            affinity(new Requirement(key, "NotIn", List.of("a")))),
        place(
            "a label joins every term",
            cinder.labels(ZONE, "z").affinity(two),
            new NodeAffinity(
                List.of(
                    new Term(List.of(other, in(key, "z")), List.of()),
                    new Term(List.of(in(key, "z")), List.of(in("metadata.name", "n")))))),
        place(
            "EBS",
            Given.of("awsElasticBlockStore", "volumeID", "v").labels(ZONE, "z"),
            affinity(in("topology.ebs.csi.aws.com/zone", "z"))),
        place(
            "GCE",
            Given.of("gcePersistentDisk", "pdName", "v").labels(ZONE, "z"),
            affinity(in("topology.gke.io/zone", "z"))),
        place(
            "Azure disk: as it was",
            Given.of("azureDisk", "diskURI", "v").affinity(affinity(in(ZONE, "z"))),
            affinity(in(ZONE, "z"))),
        place(
            "Portworx: as it was",
            Given.of("portworxVolume", "volumeID", "v").labels(ZONE, "z"),
            NodeAffinity.NONE),
        place(
            "vSphere: zone and region",
            vsphere.labels(ZONE, "z", REGION, "r"),
            affinity(in(zone, "z"), in(region, "r"))),
        place(
            "vSphere: one zone only", vsphere.labels(ZONE, "z1__z2"), affinity(in(zone, "z1__z2"))),
        place(
            "vSphere: older",
            vsphere.labels(OLD_ZONE, "z", OLD_REGION, "r"),
            affinity(in(zone, "z"), in(region, "r"))),
        place("vSphere: older region only", vsphere.labels(OLD_REGION, "r"), NodeAffinity.NONE),
        place(
            "vSphere: affinity",
            vsphere.labels(REGION, "l").affinity(affinity(in(ZONE, "z"), in(REGION, "r"))),
            affinity(in(zone, "z"), in(region, "r"))));
  }

  private static DynamicTest inline(
      String type, Map<String, String> attributes, String name, String spec) {
    return DynamicTest.dynamicTest(
        type + " " + attributes,
        () -> {
          CsiVolume volume =
              translated(
                  InTreeVolumes.translate(
                      new Pod.Inline("in", new VolumeSource(type, attributes)), "ns"));
          assertThat(volume.name()).isEqualTo(name);
          assertThat(volume.spec()).hasToString(spec);
        });
  }

  private static String filesystem(String modes, String csi) {
    return "{accessModes=[" + modes + "], csi={" + csi + "}, volumeMode=Filesystem}";
  }

  @TestFactory
  Stream<DynamicTest> volumesInPods() {
    String gce = gce("zones/UNSPECIFIED");
    return Stream.of(
        inline(
            "awsElasticBlockStore",
            map("volumeID", "aws://z/vol-1", "fsType", "xfs", "readOnly", "true"),
            "ebs.csi.aws.com-vol-1",
            filesystem(
                "ReadWriteOnce",
                "driver=ebs.csi.aws.com, volumeHandle=vol-1, readOnly=true, fsType=xfs, volumeAttributes={partition=0}")),
        inline(
            "gcePersistentDisk",
            map("pdName", "d"),
            "pd.csi.storage.gke.io-d",
            filesystem("ReadWriteOnce", gce + "volumeAttributes={partition=}")),
        inline(
            "gcePersistentDisk",
            map("pdName", "d", "readOnly", "true", "partition", "1"),
            "pd.csi.storage.gke.io-d",
            filesystem("ReadOnlyMany", gce + "readOnly=true, volumeAttributes={partition=1}")),
        inline(
            "cinder",
            map("volumeID", "v", "readOnly", "true"),
            "cinder.csi.openstack.org-v",
            filesystem(
                "ReadWriteOnce", "driver=cinder.csi.openstack.org, volumeHandle=v, readOnly=true")),
        inline(
            "azureDisk",
            map("diskName", "d", "diskURI", "/u", "cachingMode", "None", "fsType", "xfs"),
            "/u",
            filesystem(
                "ReadWriteOnce",
                "driver=disk.csi.azure.com, volumeHandle=/u, fsType=xfs, volumeAttributes={cachingmode=None, fstype=xfs, kind=Managed}")),
        inline(
            "vsphereVolume",
            map("volumePath", "v", "storagePolicyName", "gold"),
            "csi.vsphere.vmware.com-v",
            filesystem(
                "ReadWriteOnce",
                "driver=csi.vsphere.vmware.com, volumeHandle=v, volumeAttributes={storagepolicyname=gold}")),
        inline(
            "portworxVolume",
            map("volumeID", "v"),
            "pxd.portworx.com-v",
            filesystem("ReadWriteOnce", "driver=pxd.portworx.com, volumeHandle=v")),
        inline(
            "portworxVolume",
            map("volumeID", "v", "fsType", "xfs", "readOnly", "true"),
            "pxd.portworx.com-v",
            filesystem("ReadOnlyMany", "driver=pxd.portworx.com, volumeHandle=v, fsType=xfs")),
        DynamicTest.dynamicTest(
            "azureFile",
            () -> {
              CsiVolume volume =
                  translated(
                      InTreeVolumes.translate(
                          new Pod.Inline(
                              "in",
                              new VolumeSource(
                                  "azureFile", map("secretName", "x", "shareName", "s"))),
                          "ns"));
              assertThat(volume.name()).isEqualTo("#x#s#in#ns").isEqualTo(volume.handle());
              assertThat(volume.accessModes()).hasToString("ReadWriteMany");
              assertThat(volume.secrets())
                  .containsOnly(Map.entry("nodeStageSecretRef", new CsiVolume.Secret("x", "ns")));
              assertThat(volume.attributes()).containsOnly(Map.entry("sharename", "s"));
            }));
  }

  @Test
  void whatHasNotMovedIsLeftAlone() {
    for (VolumeSource source :
        List.of(VolumeSource.csi("d", "h"), VolumeSource.hostPath("/p"), VolumeSource.NONE)) {
      assertThat(InTreeVolumes.translate(new Pod.Inline("in", source), "ns"))
          .isEqualTo(new NotMigrated());
      assertThat(Given.of(source.type()).translate()).isEqualTo(new NotMigrated());
    }
    assertThat(
            InTreeVolumes.translate(
                new Pod.Inline(
                    "in", new VolumeSource("azureDisk", map("diskURI", "/u", "kind", "Shared"))),
                "ns"))
        .isInstanceOf(Refused.class);
  }
}
