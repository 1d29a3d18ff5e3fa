package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Claims that are not bound yet, in the order of Kubernetes' cases. BoundClaimTest has claims with
 * the bind-completed annotation. Mooring decides "kcm" rows differently on purpose.
 */
class ClaimDeciderTest extends ClaimDeciderFixture {
  private static Stream<Row> rows() {
    Volume volume = volume("one", "1Gi");
    Volume ten = volume("ten", "10Gi");
    Volume reserved = volume("ten", "10Gi", v -> v.claimRef(CLAIM, ""));
    Volume pendingVolume = volume("a", "1Gi", v -> v.phase(VolumePhase.PENDING));
    return Stream.of(
        row("U3 1-1 a volume that fits", claim("1Gi"), List.of(volume), "bind one"),
        row(
            "U8 1-2 none is large enough",
            claim("10Gi"),
            List.of(volume),
            "wait NO_VOLUME pending"),
        row("U3 1-4 the smallest sufficient", claim("1Gi"), List.of(ten, volume), "bind one"),
        row(
            "U3 1-5 one reserved by name wins over a better fit",
            claim("1Gi"),
            List.of(reserved, volume),
            "bind ten"),
        row(
            "U3 1-6 reserved with the uid",
            claim("1Gi"),
            List.of(volume("ten", "10Gi", v -> v.claimRef(CLAIM, "u")), volume),
            "bind ten"),
        row(
            "U8 1-7 reserved for an earlier claim of the name",
            claim("1Gi"),
            List.of(volume("v", "1Gi", v -> v.claimRef(CLAIM, "other"))),
            "wait NO_VOLUME pending"),
        row(
            "U3 1-8 a binding that stopped after the first write",
            claim("1Gi"),
            List.of(volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").phase(VolumePhase.BOUND))),
            "bind v"),
        row(
            "U3 1-11 the selector matches",
            claim("1Gi", c -> c.selector("a", "b")),
            List.of(volume, volume("l", "5Gi", v -> v.label("a", "b"))),
            "bind l"),
        row(
            "U8 1-12 the selector does not match",
            claim("1Gi", c -> c.selector("a", "b")),
            List.of(volume),
            "wait NO_VOLUME pending"),
        row(
                "U6 1-13 waits for its first consumer",
                claim("1Gi", c -> c.storageClass("w")),
                List.of(volume("v", "1Gi", v -> v.storageClass("w"))),
                "wait WAITS_FOR_CONSUMER pending")
            .delayed(),
        row(
                "U6 waits for a pod to be scheduled",
                claim("1Gi", c -> c.storageClass("w")),
                List.of(),
                "wait WAITS_FOR_SCHEDULING pending")
            .delayed("pod"),
        row(
                "U3 1-14 delayed, but one is reserved",
                claim("1Gi", c -> c.storageClass("w")),
                List.of(volume("v", "1Gi", v -> v.storageClass("w").claimRef(CLAIM, ""))),
                "bind v")
            .delayed(),
        row(
                "U7 11-23 a node is selected: free volumes are skipped",
                claim("1Gi", c -> c.storageClass("w").annotation(BinderMarks.SELECTED_NODE, "yes")),
                List.of(volume("v", "1Gi", v -> v.storageClass("w"))),
                "provision p")
            .delayed()
            .by(new Provisioning.ByPlugin("p")),
        row(
                "U8 1-17 only Available ones are free, kcm",
                claim("1Gi"),
                List.of(pendingVolume, volume("b", "1Gi", v -> v.phase(VolumePhase.FAILED))),
                "wait NO_VOLUME pending")
            .policy(KCM),
        row(
            "U3 1-17 a volume without a phase is free too",
            claim("1Gi"),
            List.of(pendingVolume),
            "bind a"),
        row(
            "U8 1-17 no other is free",
            claim("1Gi"),
            List.of(
                volume("b", "1Gi", v -> v.phase(VolumePhase.FAILED)),
                volume("d", "1Gi", v -> v.phase(VolumePhase.RELEASED)),
                volume("e", "1Gi", v -> v.deleting())),
            "wait NO_VOLUME pending"),
        row(
            "U3 13-1 the class must be equal",
            claim("1Gi", c -> c.storageClass("gold")),
            List.of(volume, volume("g", "10Gi", v -> v.storageClass("gold"))),
            "bind g"),
        row(
            "U8 14-3 the volume mode must be equal",
            claim("1Gi", c -> c.volumeMode(VolumeMode.BLOCK)),
            List.of(volume),
            "wait NO_VOLUME pending"),
        row(
            "U3 14-1 block on block",
            claim("1Gi", c -> c.volumeMode(VolumeMode.BLOCK)),
            List.of(volume("b", "1Gi", v -> v.volumeMode(VolumeMode.BLOCK))),
            "bind b"),
        row(
            "U8 the attributes class must be equal",
            claim("1Gi", c -> c.attributesClass("gold")),
            List.of(volume),
            "wait NO_VOLUME pending"),
        row(
            "U3 18 the smallest over all sets of modes",
            claim("1Gi", c -> c.accessModes("ReadWriteOnce")),
            List.of(volume("narrow", "10Gi", v -> v.accessModes("ReadWriteOnce")), volume),
            "bind one"),
        row(
                "U3 18 kcm: the narrowest set with a volume",
                claim("1Gi", c -> c.accessModes("ReadWriteOnce")),
                List.of(volume("narrow", "10Gi", v -> v.accessModes("ReadWriteOnce")), volume),
                "bind narrow")
            .policy(KCM),
        row(
            "U3 19 a reservation wins whatever its set",
            claim("1Gi", c -> c.accessModes("ReadWriteOnce")),
            List.of(
                volume("narrow", "10Gi", v -> v.accessModes("ReadWriteOnce")),
                volume("mine", "1Gi", v -> v.claimRef(CLAIM, ""))),
            "bind mine"),
        row(
                "U3 19 kcm: a reservation in a wider set is missed",
                claim("1Gi", c -> c.accessModes("ReadWriteOnce")),
                List.of(
                    volume("narrow", "10Gi", v -> v.accessModes("ReadWriteOnce")),
                    volume("mine", "1Gi", v -> v.claimRef(CLAIM, ""))),
                "bind narrow")
            .policy(KCM),
        row(
            "U3 135 reserved but too small: another is taken",
            claim("8Gi"),
            List.of(volume("mine", "1Mi", v -> v.claimRef(CLAIM, "")), ten),
            "bind ten"),
        row(
            "U3 ties: the oldest",
            claim("1Gi"),
            List.of(volume("a", "1Gi", v -> v.created(5)), volume("b", "1Gi", v -> v.created(2))),
            "bind b"),
        row(
            "U3 ties: the first by name",
            claim("1Gi"),
            List.of(volume("b", "1Gi"), volume("a", "1Gi")),
            "bind a"),
        row("U4 15-5 the default class is taken", claim("1Gi"), List.of(), "class gold")
            .byDefault("gold"),
        row(
                "U3 110 matching comes before the default class",
                claim("1Gi"),
                List.of(volume),
                "bind one")
            .byDefault("gold"),
        row(
            "U8 15-4 a claim with an empty class gets none",
            claim("1Gi", c -> c.storageClass("")),
            List.of(),
            "wait NO_VOLUME pending"),
        row(
                "U7 11-1 a plugin provisions",
                claim("1Gi", c -> c.storageClass("gold")),
                List.of(),
                "provision p")
            .by(new Provisioning.ByPlugin("p")),
        row(
                "U7 11-17 others provision",
                claim("1Gi", c -> c.storageClass("gold")),
                List.of(),
                "hand over x")
            .by(new Provisioning.ByOthers("x")),
        row(
            "U7 11-18 no provisioner",
            claim("1Gi", c -> c.storageClass("gold")),
            List.of(),
            "wait PROVISIONER_UNKNOWN"),
        row(
                "U7 11-14 the class is missing",
                claim("1Gi", c -> c.storageClass("gold")),
                List.of(),
                "wait CLASS_MISSING")
            .noClass(),
        row(
                "U7 11-25 a plugin does not support data sources",
                claim("1Gi", c -> c.storageClass("gold").hasDataSource(true)),
                List.of(),
                "refuse copy p")
            .by(new Provisioning.ByPlugin("p")),
        row(
                "U7 11-26 others may",
                claim("1Gi", c -> c.storageClass("gold").hasDataSource(true)),
                List.of(),
                "hand over x")
            .by(new Provisioning.ByOthers("x")),
        row(
                "U7 103 provisioning is off: event",
                claim("1Gi", c -> c.storageClass("gold")),
                List.of(),
                "wait PROVISIONING_OFF")
            .policy(new BinderPolicy(Compat.MOORING, false)),
        row(
                "U7 103 kcm: silent",
                claim("1Gi", c -> c.storageClass("gold")),
                List.of(),
                "wait SILENT")
            .policy(new BinderPolicy(Compat.KUBERNETES, false)),
        row(
            "U9 2-1 the named volume is missing: event",
            claim("1Gi", c -> c.volumeName("v")),
            List.of(),
            "wait VOLUME_MISSING pending"),
        row(
                "U9 2-1 kcm: silent",
                claim("1Gi", c -> c.volumeName("v")),
                List.of(),
                "wait SILENT pending")
            .policy(KCM),
        row(
            "U10 2-2 the named volume is free",
            claim("1Gi", c -> c.volumeName("ten")),
            List.of(volume, ten),
            "bind ten"),
        row(
            "U10 2-8 its labels do not matter",
            claim("1Gi", c -> c.volumeName("one").selector("a", "b")),
            List.of(volume),
            "bind one"),
        row(
            "U11 2-9 too small",
            claim("5Gi", c -> c.volumeName("one")),
            List.of(volume),
            "wait TOO_SMALL pending"),
        row(
            "U11 31 larger than any long, exactly",
            claim("900E", c -> c.volumeName("v")),
            List.of(volume("v", "800E")),
            "wait TOO_SMALL pending"),
        row(
            "U10 31 larger than any long, exactly",
            claim("700E", c -> c.volumeName("v")),
            List.of(volume("v", "800E")),
            "bind v"),
        row(
            "U11 2-10 another class",
            claim("1Gi", c -> c.volumeName("one").storageClass("gold")),
            List.of(volume),
            "wait CLASS_DIFFERS pending"),
        row(
            "U11 2-11 another attributes class",
            claim("1Gi", c -> c.volumeName("one").attributesClass("gold")),
            List.of(volume),
            "wait ATTRIBUTES_CLASS_DIFFERS pending"),
        row(
            "U11 1-16 a mode is missing",
            claim("1Gi", c -> c.volumeName("one").accessModes("ReadWriteMany")),
            List.of(volume),
            "wait ACCESS_MODES_DIFFER pending"),
        row(
            "U11 136 it is being deleted",
            claim("1Gi", c -> c.volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.deleting())),
            "wait VOLUME_BEING_DELETED pending"),
        row(
            "U12 2-4 both name each other",
            claim("1Gi", c -> c.volumeName("ten")),
            List.of(reserved),
            "bind ten"),
        row(
                "U12 30 kcm: without any check",
                claim("5Gi", c -> c.volumeName("v").storageClass("mine")),
                List.of(volume("v", "1Gi", v -> v.storageClass("other").claimRef(CLAIM, ""))),
                "bind v")
            .policy(KCM),
        row(
            "U12 30 reserved, but too small",
            claim("5Gi", c -> c.volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.claimRef(CLAIM, ""))),
            "wait TOO_SMALL pending"),
        row(
            "U12 30 reserved: the class does not matter",
            claim("1Gi", c -> c.volumeName("v").storageClass("mine")),
            List.of(volume("v", "1Gi", v -> v.storageClass("other").claimRef(CLAIM, ""))),
            "bind v"),
        row(
            "U12 5.2 a binding under way is finished",
            claim("5Gi", c -> c.volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.claimRef(CLAIM, "u"))),
            "bind v"),
        row(
            "U10 an empty claimRef is none",
            claim("1Gi", c -> c.volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.claimRef(ObjectKey.of("", ""), ""))),
            "bind v"),
        row(
                "U13 kcm: an empty claimRef reserves the volume",
                claim("1Gi", c -> c.volumeName("v")),
                List.of(volume("v", "1Gi", v -> v.claimRef(ObjectKey.of("", ""), ""))),
                "wait VOLUME_TAKEN pending")
            .policy(KCM),
        row(
            "U13 2-6 it belongs to another",
            claim("1Gi", c -> c.volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.claimRef(ObjectKey.of("default", "d"), "y"))),
            "wait VOLUME_TAKEN pending"),
        row(
                "U14 2-7 kcm: it belongs to another, though the controller bound it",
                claim(
                    "1Gi",
                    c -> c.volumeName("v").annotation(BinderMarks.BOUND_BY_CONTROLLER, "yes")),
                List.of(volume("v", "1Gi", v -> v.claimRef(ObjectKey.of("default", "d"), "y"))),
                "contradiction VOLUME_TAKEN")
            .policy(KCM),
        row(
            "U14 2-7 it belongs to another, though the controller bound it: event",
            claim("1Gi", c -> c.volumeName("v").annotation(BinderMarks.BOUND_BY_CONTROLLER, "yes")),
            List.of(volume("v", "1Gi", v -> v.claimRef(ObjectKey.of("default", "d"), "y"))),
            "wait VOLUME_TAKEN pending"));
  }

  @TestFactory
  Stream<DynamicTest> decide_tableRow_returnsDecision() {
    return rows().map(ClaimDeciderFixture::test);
  }

  @Test
  void nearMisses_pendingClaim_namesNearestVolumesAndFailedTests() {
    Row row =
        row(
            "",
            claim("5Gi"),
            List.of(
                volume("small", "1Gi"),
                volume("gold", "9Gi", v -> v.storageClass("gold")),
                volume("taken", "9Gi", v -> v.claimRef(ObjectKey.of("default", "d"), "y"))),
            "");
    assertThat(((ClaimDecision.Wait) decide(row)).reason().listsNearestVolumes()).isTrue();
    assertThat(NearMisses.of(row.claim(), row.volumes()))
        .isEqualTo(
            "small has 1Gi, not 5Gi; gold has class \"gold\", not \"\"; taken belongs to default/d");
  }

  @Test
  void nearMisses_volumesOfOtherNamespaces_areCountedAndNotNamed() {
    Volume free = volume("free", "1Gi");
    Volume reserved = volume("secret-r", "9Gi", v -> v.claimRef(ObjectKey.of("rival", "r"), ""));
    Volume bound = volume("secret-b", "1Gi", v -> v.claimRef(ObjectKey.of("rival", "b"), "y"));
    assertThat(NearMisses.of(claim("5Gi"), List.of(free, reserved)))
        .isEqualTo("free has 1Gi, not 5Gi; 1 volume belongs to a claim of another namespace");
    assertThat(NearMisses.of(claim("5Gi"), List.of(bound, reserved)))
        .isEqualTo("2 volumes belong to claims of other namespaces");
  }
}
