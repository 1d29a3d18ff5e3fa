package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ReferenceGrant;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceGrantRulesTest {
  private static final DataSource SNAPSHOT =
      new DataSource(DataSource.SNAPSHOT_GROUP, "VolumeSnapshot", "other", "s");
  private static final ReferenceGrant.From CLAIMS =
      new ReferenceGrant.From("", "PersistentVolumeClaim", "ns");
  private static final ReferenceGrant.To ALL =
      new ReferenceGrant.To(DataSource.SNAPSHOT_GROUP, "VolumeSnapshot", "");

  private static ReferenceGrant grant(
      String namespace, long deleted, List<ReferenceGrant.From> from, List<ReferenceGrant.To> to) {
    return TestObjects.referenceGrant(namespace, "g").deleted(deleted).from(from).to(to).build();
  }

  private static boolean allows(ReferenceGrant... grants) {
    return ReferenceGrantRules.isAllowed(SNAPSHOT, "ns", List.of(grants));
  }

  @ParameterizedTest
  @CsvSource({
    // the grant's namespace; from: group, kind, namespace; to: group, kind, name; whether it allows
    "other, '',   PersistentVolumeClaim, ns,    snapshot.storage.k8s.io, VolumeSnapshot,        '',  true",
    "other, '',   PersistentVolumeClaim, ns,    snapshot.storage.k8s.io, VolumeSnapshot,        s,   true",
    "other, '',   PersistentVolumeClaim, ns,    snapshot.storage.k8s.io, VolumeSnapshot,        s2,  false",
    "other, '',   PersistentVolumeClaim, ns,    '',                      VolumeSnapshot,        '',  false",
    "other, '',   PersistentVolumeClaim, ns,    snapshot.storage.k8s.io, PersistentVolumeClaim, '',  false",
    "other, '',   PersistentVolumeClaim, other, snapshot.storage.k8s.io, VolumeSnapshot,        '',  false",
    "other, '',   PersistentVolumeClaim, '',    snapshot.storage.k8s.io, VolumeSnapshot,        '',  false",
    "other, apps, PersistentVolumeClaim, ns,    snapshot.storage.k8s.io, VolumeSnapshot,        '',  false",
    "other, '',   Pod,                   ns,    snapshot.storage.k8s.io, VolumeSnapshot,        '',  false",
    "ns,    '',   PersistentVolumeClaim, ns,    snapshot.storage.k8s.io, VolumeSnapshot,        '',  false",
    "third, '',   PersistentVolumeClaim, ns,    snapshot.storage.k8s.io, VolumeSnapshot,        '',  false",
  })
  void isAllowed_grant_matchesFromAndTo(
      String namespace,
      String fromGroup,
      String fromKind,
      String fromNamespace,
      String toGroup,
      String toKind,
      String toName,
      boolean allowed) {
    assertThat(
            allows(
                grant(
                    namespace,
                    0,
                    List.of(new ReferenceGrant.From(fromGroup, fromKind, fromNamespace)),
                    List.of(new ReferenceGrant.To(toGroup, toKind, toName)))))
        .isEqualTo(allowed);
  }

  @Test
  void isAllowed_noGrant_isFalse() {
    assertThat(allows()).isFalse();
    assertThat(allows(grant("other", 0, List.of(), List.of(ALL)))).isFalse();
    assertThat(allows(grant("other", 0, List.of(CLAIMS), List.of()))).isFalse();
  }

  @Test
  void isAllowed_deletedGrant_isFalse() {
    assertThat(allows(grant("other", 1, List.of(CLAIMS), List.of(ALL)))).isFalse();
  }

  /** One grant must contain both sides. */
  @Test
  void isAllowed_fromAndToInDifferentGrants_isFalse() {
    assertThat(
            allows(
                grant("other", 0, List.of(CLAIMS), List.of()),
                grant("other", 0, List.of(), List.of(ALL))))
        .isFalse();
    assertThat(
            allows(
                grant("third", 0, List.of(CLAIMS), List.of(ALL)),
                grant("other", 0, List.of(CLAIMS), List.of(ALL))))
        .isTrue();
  }

  @Test
  void isNeeded_sameNamespace_isFalse() {
    assertThat(ReferenceGrantRules.isNeeded(SNAPSHOT, "ns")).isTrue();
    assertThat(ReferenceGrantRules.isNeeded(SNAPSHOT, "other")).isFalse();
    assertThat(
            ReferenceGrantRules.isNeeded(
                new DataSource("", "PersistentVolumeClaim", "", "c"), "ns"))
        .isFalse();
  }
}
