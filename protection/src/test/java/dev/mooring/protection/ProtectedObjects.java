package dev.mooring.protection;

import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Protected objects and pods that use them. */
public final class ProtectedObjects {
  private ProtectedObjects() {}

  private static Meta meta(ObjectKey key, boolean isDeleted, List<String> finalizers, Uid owner) {
    return TestObjects.metaOf(key)
        .uid("uid-" + key.name())
        .created(1)
        .deleted(isDeleted ? 2 : 0)
        .finalizers(finalizers)
        .controller(owner)
        .meta();
  }

  public static Claim claim(boolean isDeleted, String... finalizers) {
    return claim("c", isDeleted, Uid.NONE, new String[] {"", "", ""}, finalizers);
  }

  /**
   * Returns a claim in "ns".
   *
   * @param classes its classes: wanted, current, target
   */
  public static Claim claim(
      String name, boolean isDeleted, Uid owner, String[] classes, String... finalizers) {
    return TestObjects.claim(meta(ObjectKey.of("ns", name), isDeleted, List.of(finalizers), owner))
        .storageClass("")
        .attributesClass(classes[0])
        .status(
            new Claim.Status(
                ClaimPhase.PENDING,
                List.of(),
                Map.of(),
                classes[1],
                new Claim.Modification(classes[2], ""),
                Claim.Resize.NONE,
                List.of(),
                List.of()))
        .build();
  }

  public static Pod pod(String node, Pod.Phase phase, String... claims) {
    return TestObjects.pod(meta(ObjectKey.of("ns", "p"), false, List.of(), Uid.NONE))
        .nodeName(node)
        .claims(List.of(claims))
        .phase(phase)
        .build();
  }

  /** Returns a pod "p" in "ns" with generic ephemeral volumes. */
  public static Pod ephemeralPod(
      boolean isDeleted, boolean shutDown, Pod.Phase phase, String... names) {
    return TestObjects.pod(meta(ObjectKey.of("ns", "p"), isDeleted, List.of(), Uid.NONE))
        .nodeName("node")
        .claims(Stream.of(names).map(n -> "p-" + n).toList())
        .ephemeral(List.of(names))
        .phase(phase)
        .shutDown(shutDown)
        .build();
  }

  public static Volume volume(
      VolumePhase phase, boolean isDeleted, String attributesClass, String... finalizers) {
    return TestObjects.volume(
            meta(ObjectKey.cluster("v"), isDeleted, List.of(finalizers), Uid.NONE))
        .source(VolumeSource.nfs("s", "/"))
        .attributesClass(attributesClass)
        .phase(phase)
        .build();
  }

  public static Volume withClaimRef(@Nullable ClaimRef ref, Volume volume) {
    return TestObjects.like(volume).claimRef(ref).build();
  }

  public static AttributesClass attributesClass(boolean isDeleted, String... finalizers) {
    return TestObjects.attributesClass(
            meta(ObjectKey.cluster("gold"), isDeleted, List.of(finalizers), Uid.NONE))
        .driver("d")
        .build();
  }
}
