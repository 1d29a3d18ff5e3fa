package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.ContentRules.Content;
import dev.mooring.csi.decide.ContentRules.Snapshot;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** spec/csi-bridge.md 5.3 and its cases 18, 20 and 22. */
class ContentRulesTest {
  private static final String DRIVER = "d";
  private static final ObjectKey KEY = ObjectKey.of("ns", "s");
  private static final Content CONTENT =
      new Content(DRIVER, "snap-1", KEY, Uid.of("s"), Optional.empty(), false);

  private static Claim claim(String name, String asked, VolumeMode mode, ClaimPhase phase) {
    return claim(name, asked, mode, phase, "fast", 0);
  }

  private static Claim claim(
      String name,
      String asked,
      VolumeMode mode,
      ClaimPhase phase,
      String className,
      long deleted) {
    return Builders.claim("ns", name)
        .uid(name)
        .deleted(deleted)
        .request(asked)
        .storageClass(className.isEmpty() ? null : className)
        .volumeName(phase == ClaimPhase.BOUND ? "v" : "")
        .volumeMode(mode)
        .phase(phase)
        .build();
  }

  private static Claim wish(String asked, VolumeMode mode) {
    return claim("c", asked, mode, ClaimPhase.PENDING);
  }

  private static String why(Checked<String> checked) {
    return checked instanceof Checked.Invalid<String>(String why) ? why : "valid";
  }

  private static Snapshot snapshot(boolean goes, boolean ready, String size, Content content) {
    return new Snapshot(
        KEY,
        Uid.of("s"),
        goes,
        ready,
        size.isEmpty() ? Optional.empty() : Optional.of(Quantity.of(size)),
        Optional.ofNullable(content));
  }

  private static Checked<String> ofSnapshot(Snapshot snapshot) {
    return ContentRules.ofSnapshot(wish("2Gi", VolumeMode.FILESYSTEM), snapshot, DRIVER, true);
  }

  @Test
  void aSnapshotThatIsReadyFillsAVolume() {
    assertThat(ofSnapshot(snapshot(false, true, "1Gi", CONTENT)))
        .isEqualTo(new Checked.Valid<>("snap-1"));
    assertThat(ofSnapshot(snapshot(false, true, "", CONTENT)))
        .isEqualTo(new Checked.Valid<>("snap-1"));
  }

  @Test
  void aSnapshotThatCannotIsNamedWithTheReason() {
    assertThat(why(ofSnapshot(snapshot(true, true, "", CONTENT)))).contains("being deleted");
    assertThat(why(ofSnapshot(snapshot(false, false, "", CONTENT)))).contains("not ready");
    assertThat(why(ofSnapshot(snapshot(false, true, "", null)))).contains("not bound");
    assertThat(why(ofSnapshot(snapshot(false, true, "3Gi", CONTENT)))).contains("2Gi", "3Gi");
    assertThat(why(ofSnapshot(snapshot(false, true, "", with("other", "h", "s", "ns", "s")))))
        .contains("driver other");
    assertThat(why(ofSnapshot(snapshot(false, true, "", with(DRIVER, "", "s", "ns", "s")))))
        .contains("not ready");
    assertThat(why(ofSnapshot(snapshot(false, true, "", with(DRIVER, "h", "x", "ns", "s")))))
        .contains("another snapshot");
    assertThat(why(ofSnapshot(snapshot(false, true, "", with(DRIVER, "h", "s", "other", "s")))))
        .contains("another snapshot");
    assertThat(why(ofSnapshot(snapshot(false, true, "", with(DRIVER, "h", "s", "ns", "other")))))
        .contains("another snapshot");
  }

  private static Content with(String driver, String handle, String uid, String ns, String name) {
    return new Content(
        driver, handle, ObjectKey.of(ns, name), Uid.of(uid), Optional.empty(), false);
  }

  @Test
  void theModeOfAVolumeChangesOnlyWhereTheContentAllowsIt() {
    for (boolean allowed : new boolean[] {true, false}) {
      Content block =
          new Content(DRIVER, "snap-1", KEY, Uid.of("s"), Optional.of(VolumeMode.BLOCK), allowed);
      assertThat(ofSnapshot(snapshot(false, true, "", block)) instanceof Checked.Valid<String>)
          .isEqualTo(allowed);
      assertThat(
              ContentRules.ofSnapshot(
                  wish("2Gi", VolumeMode.FILESYSTEM),
                  snapshot(false, true, "", block),
                  DRIVER,
                  false))
          .as("--prevent-volume-mode-conversion=false")
          .isEqualTo(new Checked.Valid<>("snap-1"));
    }
  }

  private static Volume volume(String driver, VolumePhase phase, ClaimRef ref) {
    return Builders.volume("v")
        .source(driver.isEmpty() ? VolumeSource.nfs("s", "/") : VolumeSource.csi(driver, "vol-1"))
        .claimRef(ref)
        .reclaimPolicy(ReclaimPolicy.DELETE)
        .storageClass("fast")
        .phase(phase)
        .build();
  }

  private static final ClaimRef OF_SOURCE = new ClaimRef(ObjectKey.of("ns", "src"), Uid.of("src"));

  private static Checked<String> ofClaim(Claim source, Volume volume) {
    return ContentRules.ofClaim(wish("2Gi", VolumeMode.FILESYSTEM), source, volume, DRIVER);
  }

  @Test
  void aBoundClaimIsCopied() {
    Claim source = claim("src", "1Gi", VolumeMode.FILESYSTEM, ClaimPhase.BOUND);
    assertThat(ofClaim(source, volume(DRIVER, VolumePhase.BOUND, OF_SOURCE)))
        .isEqualTo(new Checked.Valid<>("vol-1"));
  }

  /** Its copying may have begun: the same has to be asked for until that has ended. */
  @Test
  void aSourceThatGoesAndIsHeldIsCopied() {
    Claim going = claim("src", "1Gi", VolumeMode.FILESYSTEM, ClaimPhase.BOUND, "fast", 5);
    Claim held = Builders.like(going).finalizer(ContentRules.CLAIM_IN_USE).build();
    assertThat(ofClaim(held, volume(DRIVER, VolumePhase.BOUND, OF_SOURCE)))
        .isEqualTo(new Checked.Valid<>("vol-1"));
  }

  @Test
  void aSourceThatCannotIsNamedWithTheReason() {
    Volume good = volume(DRIVER, VolumePhase.BOUND, OF_SOURCE);
    VolumeMode files = VolumeMode.FILESYSTEM;
    assertThat(why(ofClaim(claim("src", "1Gi", files, ClaimPhase.PENDING), good)))
        .contains("not bound");
    assertThat(why(ofClaim(claim("src", "1Gi", files, ClaimPhase.LOST), good)))
        .contains("not bound");
    assertThat(why(ofClaim(claim("src", "3Gi", files, ClaimPhase.BOUND), good)))
        .contains("2Gi", "3Gi");
    assertThat(why(ofClaim(claim("src", "1Gi", VolumeMode.BLOCK, ClaimPhase.BOUND), good)))
        .contains("Filesystem");
    assertThat(why(ofClaim(claim("src", "1Gi", files, ClaimPhase.BOUND, "", 0), good)))
        .contains("class");
    assertThat(why(ofClaim(claim("src", "1Gi", files, ClaimPhase.BOUND, "fast", 5), good)))
        .contains("being deleted");
  }

  @Test
  void aVolumeThatIsNotTheSourcesOwnIsNotCopied() {
    Claim source = claim("src", "1Gi", VolumeMode.FILESYSTEM, ClaimPhase.BOUND);
    for (Volume odd :
        List.of(
            volume("other", VolumePhase.BOUND, OF_SOURCE),
            volume("", VolumePhase.BOUND, OF_SOURCE),
            volume(DRIVER, VolumePhase.RELEASED, OF_SOURCE),
            volume(DRIVER, VolumePhase.BOUND, null),
            volume(DRIVER, VolumePhase.BOUND, new ClaimRef(OF_SOURCE.claim(), Uid.of("x"))),
            volume(
                DRIVER,
                VolumePhase.BOUND,
                new ClaimRef(ObjectKey.of("ns", "x"), OF_SOURCE.uid())))) {
      assertThat(why(ofClaim(source, odd))).isEqualTo("claim in dataSource not bound or invalid");
    }
  }
}
