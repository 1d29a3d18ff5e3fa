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
  private static final VolumeFact WAITS = new VolumeFact.Waits();
  private static final VolumeFact PLAIN = new VolumeFact.Plain();
  private static final VolumeSource CSI = csi("d", "h");

  private final Informer<Claim> claims = new Informer<>(Kind.CLAIM, List.of());
  private final Informer<Volume> volumes = new Informer<>(Kind.VOLUME, List.of());
  private final Informer<CsiDriver> drivers = new Informer<>(Kind.CSI_DRIVER, List.of());
  private final VolumeFacts facts = new VolumeFacts(claims, volumes, drivers);
  private long version;

  private static VolumeSource csi(String driver, String handle) {
    return new VolumeSource("csi", Map.of("driver", driver, "volumeHandle", handle));
  }

  private static VolumeFact known(String driver, String handle, boolean takesLabel) {
    return new VolumeFact.Known(
        new VolumeKey("kubernetes.io/csi", driver + "^" + handle), driver, takesLabel);
  }

  private Meta meta(ObjectKey key, String uid, Uid owner) {
    return TestObjects.metaOf(key).uid(uid).version(++version).created(1).controller(owner).meta();
  }

  private void claim(ClaimPhase phase, String volume, Uid owner) {
    claims.applyOwnWrite(
        TestObjects.claim(meta(ObjectKey.of("ns", "c"), "uid-c", owner))
            .accessModes(AccessModes.of("ReadWriteMany"))
            .storageClass("")
            .volumeName(volume)
            .status(new Claim.Status(phase, List.of(), Map.of(), ""))
            .build());
  }

  private void volume(VolumeSource source, String claimUid) {
    volumes.applyOwnWrite(
        TestObjects.volume(meta(ObjectKey.cluster("v"), "uid-v", Uid.NONE))
            .source(source)
            .accessModes(AccessModes.of("ReadWriteMany"))
            .claimRef(new ClaimRef(ObjectKey.of("ns", "c"), Uid.of(claimUid)))
            .status(new Volume.Status(VolumePhase.BOUND, "", ""))
            .build());
  }

  private void driver(String name, boolean takesLabel) {
    drivers.applyOwnWrite(
        TestObjects.csiDriver(meta(ObjectKey.cluster(name), "uid-d", Uid.NONE))
            .seLinuxMount(takesLabel)
            .build());
  }

  private VolumeFact of(PodVolume volume) {
    PodMounts pod =
        TestObjects.podMounts(meta(ObjectKey.of("ns", "p"), "uid-p", Uid.NONE))
            .phase(Pod.Phase.RUNNING)
            .volumes(List.of(volume))
            .build();
    return facts.of(pod).get("x");
  }

  private VolumeFact ofClaim() {
    return of(new PodVolume("x", "c", false, VolumeSource.NONE));
  }

  private VolumeFact inline(String type, String... attributes) {
    Map<String, String> all =
        attributes.length == 0 ? Map.of() : Map.of(attributes[0], attributes[1]);
    return of(new PodVolume("x", "", false, new VolumeSource(type, all)));
  }

  @BeforeEach
  void bind() {
    claim(ClaimPhase.BOUND, "v", Uid.NONE);
    volume(CSI, "uid-c");
  }

  @Test
  void of_boundClaim_returnsItsVolume() {
    assertThat(ofClaim()).isEqualTo(known("d", "h", false));
  }

  @Test
  void of_csiVolume_takesLabelIfDriverSupportsIt() {
    driver("d", true);
    assertThat(ofClaim()).isEqualTo(known("d", "h", true));
    driver("d", false);
    assertThat(ofClaim()).isEqualTo(known("d", "h", false));
  }

  @Test
  void of_claimNotBound_waits() {
    claim(ClaimPhase.PENDING, "", Uid.NONE);
    assertThat(ofClaim()).isEqualTo(WAITS);
    claim(ClaimPhase.PENDING, "v", Uid.NONE);
    assertThat(ofClaim()).isEqualTo(WAITS);
    claim(ClaimPhase.BOUND, "another", Uid.NONE);
    assertThat(ofClaim()).isEqualTo(WAITS);
    assertThat(of(new PodVolume("x", "unknown", false, VolumeSource.NONE))).isEqualTo(WAITS);
  }

  @Test
  void of_volumeBoundToEarlierClaim_waits() {
    volume(CSI, "uid-of-an-earlier-one");
    assertThat(ofClaim()).isEqualTo(WAITS);
  }

  @Test
  void of_ephemeralVolume_requiresClaimOwnedByPod() {
    PodVolume ephemeral = new PodVolume("x", "c", true, VolumeSource.NONE);
    assertThat(of(ephemeral)).isEqualTo(WAITS);
    claim(ClaimPhase.BOUND, "v", Uid.of("uid-p"));
    assertThat(of(ephemeral)).isEqualTo(known("d", "h", false));
  }

  @Test
  void of_inTreeVolume_resolvesToCsiDriver() {
    driver("ebs.csi.aws.com", true);
    volume(new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "vol-1")), "uid-c");
    VolumeFact ebs = known("ebs.csi.aws.com", "vol-1", true);
    assertThat(ofClaim()).isEqualTo(ebs);
    assertThat(inline("awsElasticBlockStore", "volumeID", "vol-1")).isEqualTo(ebs);
  }

  @Test
  void of_blockDevice_takesLabel() {
    assertThat(inline("iscsi", "iqn", "i"))
        .isInstanceOfSatisfying(VolumeFact.Known.class, k -> assertThat(k.takesLabel()).isTrue());
    assertThat(inline("fc", "wwids", "w"))
        .isInstanceOfSatisfying(VolumeFact.Known.class, k -> assertThat(k.takesLabel()).isTrue());
    assertThat(inline("iscsi", "iqn", "i")).isNotEqualTo(inline("iscsi", "iqn", "j"));
  }

  @Test
  void of_sharedFileSystem_takesNoLabel() {
    for (VolumeSource source :
        List.of(
            VolumeSource.nfs("s", "/"),
            new VolumeSource("hostPath", Map.of("path", "/p")),
            new VolumeSource("local", Map.of("path", "/p")),
            new VolumeSource("flexVolume", Map.of("driver", "d")))) {
      volume(source, "uid-c");
      assertThat(ofClaim()).isEqualTo(PLAIN);
    }
    assertThat(of(new PodVolume("x", "", false, VolumeSource.NONE))).isEqualTo(PLAIN);
  }
}
