package dev.mooring.provisioner.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.decide.ClaimRules.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimRulesTest {
  private static final ClaimRules.Names NAMES =
      new ClaimRules.Names(Set.of("foo.bar/baz", "foo.bar/other"), Set.of("kubernetes.io/old"));

  /**
   * Columns: GA and beta annotation, volume, selected node, provisioner of the class, whether the
   * class waits for a consumer, and the result.
   */
  @ParameterizedTest
  @CsvSource({
    "foo.bar/baz,   ,              ,     ,   foo.bar/baz,   false, ours",
    "foo.bar/other, ,              ,     ,   foo.bar/other, false, ours",
    ",              foo.bar/baz,   ,     ,   foo.bar/baz,   false, ours",
    "else/where,    foo.bar/baz,   ,     ,   foo.bar/baz,   false, not",
    "else/where,    ,              ,     ,   foo.bar/baz,   false, not",
    ",              else/where,    ,     ,   foo.bar/baz,   false, not",
    ",              ,              ,     ,   foo.bar/baz,   false, not",
    ",              ,              ,     ,   ,              false, not",
    "foo.bar/baz,   ,              ,     ,   ,              false, no class",
    "foo.bar/baz,   ,              v-1,  ,   foo.bar/baz,   false, not",
    "foo.bar/baz,   ,              ,     ,   else/where,    false, other class",
    "foo.bar/baz,   ,              ,     ,   else/where,    true,  other class",
    "foo.bar/baz,   ,              ,     ,   foo.bar/baz,   true,  no node",
    "foo.bar/baz,   ,              ,     n1, foo.bar/baz,   true,  ours",
    ",              foo.bar/baz,   ,     n1, foo.bar/baz,   true,  ours",
    "foo.bar/baz,   ,              ,     ,   kubernetes.io/old, false, ours",
    "kubernetes.io/old, ,          ,     ,   kubernetes.io/old, false, not",
  })
  void claim_annotationsAndClass_determineOwner(
      String ga,
      String beta,
      String volume,
      String node,
      String provisioner,
      boolean waits,
      String verdict) {
    Map<String, String> annotations = new HashMap<>();
    put(annotations, "volume.kubernetes.io/storage-provisioner", ga);
    put(annotations, "volume.beta.kubernetes.io/storage-provisioner", beta);
    put(annotations, ClaimRules.SELECTED_NODE, node);
    Claim claim = ProvisionedClaims.claim(annotations, volume == null ? "" : volume);
    Optional<StorageClass> storageClass =
        Optional.ofNullable(provisioner).map(p -> ProvisionedClaims.storageClass(p, waits));
    Verdict expected =
        switch (verdict) {
          case "ours" -> new Verdict.Ours(storageClass.orElseThrow());
          case "other class" -> new Verdict.OtherClass(storageClass.orElseThrow());
          case "no class" -> new Verdict.NoClass("fast");
          case "no node" -> new Verdict.NoNode();
          default -> new Verdict.NotOurs();
        };
    assertThat(ClaimRules.judge(claim, NAMES, name -> storageClass)).isEqualTo(expected);
  }

  /**
   * The selected node was removed during a call, and then the claim was deleted. One more call
   * finds a volume that would otherwise leak.
   */
  @Test
  void deletedClaim_callUnfinished_needsNoNode() {
    StorageClass waiting = ProvisionedClaims.storageClass("foo.bar/baz", true);
    Map<String, String> annotations =
        Map.of("volume.kubernetes.io/storage-provisioner", "foo.bar/baz");
    assertThat(
            ClaimRules.judge(
                ProvisionedClaims.deleted(true, annotations), NAMES, name -> Optional.of(waiting)))
        .isEqualTo(new Verdict.Ours(waiting));
    assertThat(
            ClaimRules.judge(
                ProvisionedClaims.deleted(false, annotations), NAMES, name -> Optional.of(waiting)))
        .isEqualTo(new Verdict.NoNode());
    assertThat(
            ClaimRules.judge(
                ProvisionedClaims.claimWithNote(annotations), NAMES, name -> Optional.of(waiting)))
        .isEqualTo(new Verdict.NoNode());
  }

  /**
   * The claim was bound to another volume during a call; one more call finds a volume that would
   * otherwise leak.
   */
  @Test
  void claimBoundElsewhere_callUnfinished_isProvisioned() {
    StorageClass storageClass = ProvisionedClaims.storageClass("foo.bar/baz", true);
    Map<String, String> annotations =
        Map.of("volume.kubernetes.io/storage-provisioner", "foo.bar/baz");
    Claim claimWithNote = ProvisionedClaims.claimWithNote(annotations);
    assertThat(
            ClaimRules.judge(
                withVolumeName(claimWithNote, "disk"), NAMES, name -> Optional.of(storageClass)))
        .isEqualTo(new Verdict.Ours(storageClass));
    assertThat(
            ClaimRules.judge(
                withVolumeName(claimWithNote, "pvc-u"), NAMES, name -> Optional.of(storageClass)))
        .isEqualTo(new Verdict.NotOurs());
    Claim plain = ProvisionedClaims.claim(annotations, "disk");
    assertThat(ClaimRules.judge(plain, NAMES, name -> Optional.of(storageClass)))
        .isEqualTo(new Verdict.NotOurs());
  }

  private static Claim withVolumeName(Claim claim, String volume) {
    Claim bound = ProvisionedClaims.boundTo(volume);
    return bound.withMeta(claim.meta());
  }

  private static void put(Map<String, String> annotations, String key, String value) {
    if (value != null) {
      annotations.put(key, value);
    }
  }
}
