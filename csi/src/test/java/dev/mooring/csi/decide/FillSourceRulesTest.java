package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.FillSourceRules.Content;
import dev.mooring.csi.decide.FillSourceRules.Snapshot;
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
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FillSourceRulesTest {
  private static final String DRIVER = "d";
  private static final ObjectKey KEY = ObjectKey.of("ns", "s");
  private static final Content CONTENT =
      new Content(DRIVER, "snap-1", KEY, Uid.of("s"), Optional.empty(), false);

  private static Claim claim(String name, String requested, VolumeMode mode, ClaimPhase phase) {
    return claim(name, requested, mode, phase, "fast", 0);
  }

  private static Claim claim(
      String name,
      String requested,
      VolumeMode mode,
      ClaimPhase phase,
      String className,
      long deleted) {
    return TestObjects.claim("ns", name)
        .uid(name)
        .deleted(deleted)
        .request(requested)
        .storageClass(className.isEmpty() ? null : className)
        .volumeName(phase == ClaimPhase.BOUND ? "v" : "")
        .volumeMode(mode)
        .phase(phase)
        .build();
  }

  private static Claim newClaim(String requested, VolumeMode mode) {
    return claim("c", requested, mode, ClaimPhase.PENDING);
  }

  private static String reasonOf(CheckResult<String> checked) {
    return checked instanceof CheckResult.Invalid<String>(String reason) ? reason : "valid";
  }

  private static Snapshot snapshot(boolean deleted, boolean ready, String size, Content content) {
    return new Snapshot(
        KEY,
        Uid.of("s"),
        deleted,
        ready,
        size.isEmpty() ? Optional.empty() : Optional.of(Quantity.of(size)),
        Optional.ofNullable(content));
  }

  private static CheckResult<String> ofSnapshot(Snapshot snapshot) {
    return FillSourceRules.checkSnapshot(
        newClaim("2Gi", VolumeMode.FILESYSTEM), snapshot, DRIVER, true);
  }

  @Test
  void checkSnapshot_ready_returnsHandle() {
    assertThat(ofSnapshot(snapshot(false, true, "1Gi", CONTENT)))
        .isEqualTo(new CheckResult.Valid<>("snap-1"));
    assertThat(ofSnapshot(snapshot(false, true, "", CONTENT)))
        .isEqualTo(new CheckResult.Valid<>("snap-1"));
  }

  @Test
  void checkSnapshot_unusable_isInvalidWithReason() {
    assertThat(reasonOf(ofSnapshot(snapshot(true, true, "", CONTENT)))).contains("being deleted");
    assertThat(reasonOf(ofSnapshot(snapshot(false, false, "", CONTENT)))).contains("not ready");
    assertThat(reasonOf(ofSnapshot(snapshot(false, true, "", null)))).contains("not bound");
    assertThat(reasonOf(ofSnapshot(snapshot(false, true, "3Gi", CONTENT)))).contains("2Gi", "3Gi");
    assertThat(reasonOf(ofSnapshot(snapshot(false, true, "", with("other", "h", "s", "ns", "s")))))
        .contains("driver other");
    assertThat(reasonOf(ofSnapshot(snapshot(false, true, "", with(DRIVER, "", "s", "ns", "s")))))
        .contains("not ready");
    assertThat(reasonOf(ofSnapshot(snapshot(false, true, "", with(DRIVER, "h", "x", "ns", "s")))))
        .contains("another snapshot");
    assertThat(
            reasonOf(ofSnapshot(snapshot(false, true, "", with(DRIVER, "h", "s", "other", "s")))))
        .contains("another snapshot");
    assertThat(
            reasonOf(ofSnapshot(snapshot(false, true, "", with(DRIVER, "h", "s", "ns", "other")))))
        .contains("another snapshot");
  }

  private static Content with(String driver, String handle, String uid, String ns, String name) {
    return new Content(
        driver, handle, ObjectKey.of(ns, name), Uid.of(uid), Optional.empty(), false);
  }

  @Test
  void checkSnapshot_otherMode_needsPermissionOfContent() {
    for (boolean allowed : new boolean[] {true, false}) {
      Content block =
          new Content(DRIVER, "snap-1", KEY, Uid.of("s"), Optional.of(VolumeMode.BLOCK), allowed);
      assertThat(ofSnapshot(snapshot(false, true, "", block)) instanceof CheckResult.Valid<String>)
          .isEqualTo(allowed);
      assertThat(
              FillSourceRules.checkSnapshot(
                  newClaim("2Gi", VolumeMode.FILESYSTEM),
                  snapshot(false, true, "", block),
                  DRIVER,
                  false))
          .as("--prevent-volume-mode-conversion=false")
          .isEqualTo(new CheckResult.Valid<>("snap-1"));
    }
  }

  private static Volume volume(String driver, VolumePhase phase, ClaimRef ref) {
    return TestObjects.volume("v")
        .source(driver.isEmpty() ? VolumeSource.nfs("s", "/") : VolumeSource.csi(driver, "vol-1"))
        .claimRef(ref)
        .reclaimPolicy(ReclaimPolicy.DELETE)
        .storageClass("fast")
        .phase(phase)
        .build();
  }

  private static final ClaimRef OF_SOURCE = new ClaimRef(ObjectKey.of("ns", "src"), Uid.of("src"));

  private static CheckResult<String> ofClaim(Claim source, Volume volume) {
    return FillSourceRules.checkClaim(
        newClaim("2Gi", VolumeMode.FILESYSTEM), source, volume, DRIVER);
  }

  @Test
  void checkClaim_bound_returnsHandle() {
    Claim source = claim("src", "1Gi", VolumeMode.FILESYSTEM, ClaimPhase.BOUND);
    assertThat(ofClaim(source, volume(DRIVER, VolumePhase.BOUND, OF_SOURCE)))
        .isEqualTo(new CheckResult.Valid<>("vol-1"));
  }

  /** The copy may be in progress, so the retried request must be the same. */
  @Test
  void checkClaim_deletedSourceWithFinalizer_returnsHandle() {
    Claim deletedSource = claim("src", "1Gi", VolumeMode.FILESYSTEM, ClaimPhase.BOUND, "fast", 5);
    Claim claimWithFinalizer =
        TestObjects.like(deletedSource).finalizer(FillSourceRules.CLAIM_IN_USE).build();
    assertThat(ofClaim(claimWithFinalizer, volume(DRIVER, VolumePhase.BOUND, OF_SOURCE)))
        .isEqualTo(new CheckResult.Valid<>("vol-1"));
  }

  @Test
  void checkClaim_unusable_isInvalidWithReason() {
    Volume filledVolume = volume(DRIVER, VolumePhase.BOUND, OF_SOURCE);
    VolumeMode files = VolumeMode.FILESYSTEM;
    assertThat(reasonOf(ofClaim(claim("src", "1Gi", files, ClaimPhase.PENDING), filledVolume)))
        .contains("not bound");
    assertThat(reasonOf(ofClaim(claim("src", "1Gi", files, ClaimPhase.LOST), filledVolume)))
        .contains("not bound");
    assertThat(reasonOf(ofClaim(claim("src", "3Gi", files, ClaimPhase.BOUND), filledVolume)))
        .contains("2Gi", "3Gi");
    assertThat(
            reasonOf(
                ofClaim(claim("src", "1Gi", VolumeMode.BLOCK, ClaimPhase.BOUND), filledVolume)))
        .contains("Filesystem");
    assertThat(reasonOf(ofClaim(claim("src", "1Gi", files, ClaimPhase.BOUND, "", 0), filledVolume)))
        .contains("class");
    assertThat(
            reasonOf(
                ofClaim(claim("src", "1Gi", files, ClaimPhase.BOUND, "fast", 5), filledVolume)))
        .contains("being deleted");
  }

  @Test
  void checkClaim_volumeOfAnotherClaim_isInvalid() {
    Claim source = claim("src", "1Gi", VolumeMode.FILESYSTEM, ClaimPhase.BOUND);
    for (Volume otherVolume :
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
      assertThat(reasonOf(ofClaim(source, otherVolume)))
          .isEqualTo("claim in dataSource not bound or invalid");
    }
  }
}
