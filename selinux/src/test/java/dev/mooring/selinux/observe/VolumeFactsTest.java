package dev.mooring.selinux.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.PodVolume;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.selinux.decide.VolumeFact;
import dev.mooring.selinux.decide.VolumeKey;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeFactsTest {
  private static final VolumeFact UNBOUND = new VolumeFact.Unbound();
  private static final VolumeFact UNSUPPORTED = new VolumeFact.Unsupported();
  private static final VolumeSource CSI = csi("d", "h");

  private final Informer<Claim> claims = new Informer<>(Kind.CLAIM, List.of());
  private final Informer<Volume> volumes = new Informer<>(Kind.VOLUME, List.of());
  private final Informer<CsiDriver> drivers = new Informer<>(Kind.CSI_DRIVER, List.of());
  private final VolumeFacts facts = new VolumeFacts(claims, volumes, drivers);
  private long version;

  private static VolumeSource csi(String driver, String handle) {
    return new VolumeSource("csi", Map.of("driver", driver, "volumeHandle", handle));
  }

  private static VolumeFact csiFact(String driver, String handle, boolean supportsLabel) {
    return new VolumeFact.Known(
        new VolumeKey("kubernetes.io/csi", driver + "^" + handle), driver, supportsLabel);
  }

  private Meta meta(ObjectKey key, String uid, Uid owner) {
    return TestObjects.metaOf(key).uid(uid).version(++version).created(1).controller(owner).meta();
  }

  private void putClaim(ClaimPhase phase, String volume, Uid owner) {
    claims.applyOwnWrite(
        TestObjects.claim(meta(ObjectKey.of("ns", "c"), "uid-c", owner))
            .accessModes(AccessModes.of("ReadWriteMany"))
            .storageClass("")
            .volumeName(volume)
            .status(new Claim.Status(phase, List.of(), Map.of(), ""))
            .build());
  }

  private void putVolume(VolumeSource source, String claimUid) {
    volumes.applyOwnWrite(
        TestObjects.volume(meta(ObjectKey.cluster("v"), "uid-v", Uid.NONE))
            .source(source)
            .accessModes(AccessModes.of("ReadWriteMany"))
            .claimRef(new ClaimRef(ObjectKey.of("ns", "c"), Uid.of(claimUid)))
            .status(new Volume.Status(VolumePhase.BOUND, "", ""))
            .build());
  }

  private void putDriver(String name, boolean supportsLabel) {
    drivers.applyOwnWrite(
        TestObjects.csiDriver(meta(ObjectKey.cluster(name), "uid-d", Uid.NONE))
            .seLinuxMount(supportsLabel)
            .build());
  }

  private VolumeFact findFact(PodVolume volume) {
    PodMounts pod =
        TestObjects.podMounts(meta(ObjectKey.of("ns", "p"), "uid-p", Uid.NONE))
            .phase(Pod.Phase.RUNNING)
            .volumes(List.of(volume))
            .build();
    return facts.findFacts(pod).get("x");
  }

  private VolumeFact findClaimFact() {
    return findFact(new PodVolume("x", "c", false, VolumeSource.NONE));
  }

  private VolumeFact findInlineFact(String type, String... attributes) {
    Map<String, String> attributeMap =
        attributes.length == 0 ? Map.of() : Map.of(attributes[0], attributes[1]);
    return findFact(new PodVolume("x", "", false, new VolumeSource(type, attributeMap)));
  }

  @BeforeEach
  void bindClaim() {
    putClaim(ClaimPhase.BOUND, "v", Uid.NONE);
    putVolume(CSI, "uid-c");
  }

  @Test
  void findFacts_boundClaim_returnsVolume() {
    assertThat(findClaimFact()).isEqualTo(csiFact("d", "h", false));
  }

  @Test
  void findFacts_csiVolume_supportsLabelIfDriverDoes() {
    putDriver("d", true);
    assertThat(findClaimFact()).isEqualTo(csiFact("d", "h", true));
    putDriver("d", false);
    assertThat(findClaimFact()).isEqualTo(csiFact("d", "h", false));
  }

  @Test
  void findFacts_claimNotBound_isUnbound() {
    putClaim(ClaimPhase.PENDING, "", Uid.NONE);
    assertThat(findClaimFact()).isEqualTo(UNBOUND);
    putClaim(ClaimPhase.PENDING, "v", Uid.NONE);
    assertThat(findClaimFact()).isEqualTo(UNBOUND);
    putClaim(ClaimPhase.BOUND, "another", Uid.NONE);
    assertThat(findClaimFact()).isEqualTo(UNBOUND);
    assertThat(findFact(new PodVolume("x", "unknown", false, VolumeSource.NONE)))
        .isEqualTo(UNBOUND);
  }

  @Test
  void findFacts_volumeBoundToEarlierClaim_isUnbound() {
    putVolume(CSI, "uid-of-an-earlier-one");
    assertThat(findClaimFact()).isEqualTo(UNBOUND);
  }

  @Test
  void findFacts_ephemeralVolume_requiresClaimOwnedByPod() {
    PodVolume ephemeral = new PodVolume("x", "c", true, VolumeSource.NONE);
    assertThat(findFact(ephemeral)).isEqualTo(UNBOUND);
    putClaim(ClaimPhase.BOUND, "v", Uid.of("uid-p"));
    assertThat(findFact(ephemeral)).isEqualTo(csiFact("d", "h", false));
  }

  @Test
  void findFacts_inTreeVolume_returnsVolumeOfCsiDriver() {
    putDriver("ebs.csi.aws.com", true);
    putVolume(new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "vol-1")), "uid-c");
    VolumeFact ebs = csiFact("ebs.csi.aws.com", "vol-1", true);
    assertThat(findClaimFact()).isEqualTo(ebs);
    assertThat(findInlineFact("awsElasticBlockStore", "volumeID", "vol-1")).isEqualTo(ebs);
  }

  @Test
  void findFacts_blockDevice_supportsLabel() {
    assertThat(findInlineFact("iscsi", "iqn", "i"))
        .isInstanceOfSatisfying(
            VolumeFact.Known.class, k -> assertThat(k.supportsLabel()).isTrue());
    assertThat(findInlineFact("fc", "wwids", "w"))
        .isInstanceOfSatisfying(
            VolumeFact.Known.class, k -> assertThat(k.supportsLabel()).isTrue());
    assertThat(findInlineFact("iscsi", "iqn", "i"))
        .isNotEqualTo(findInlineFact("iscsi", "iqn", "j"));
  }

  @Test
  void findFacts_sharedFileSystem_isUnsupported() {
    for (VolumeSource source :
        List.of(
            VolumeSource.nfs("s", "/"),
            new VolumeSource("hostPath", Map.of("path", "/p")),
            new VolumeSource("local", Map.of("path", "/p")),
            new VolumeSource("flexVolume", Map.of("driver", "d")))) {
      putVolume(source, "uid-c");
      assertThat(findClaimFact()).isEqualTo(UNSUPPORTED);
    }
    assertThat(findFact(new PodVolume("x", "", false, VolumeSource.NONE))).isEqualTo(UNSUPPORTED);
  }
}
