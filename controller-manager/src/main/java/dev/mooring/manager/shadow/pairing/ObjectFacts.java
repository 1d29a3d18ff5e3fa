package dev.mooring.manager.shadow.pairing;

import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Facts about objects that volume controllers write. Both sides of a pairing use these facts: the
 * state of an object, and a write to it ({@link WriteFacts}).
 */
public final class ObjectFacts {
  /** Whether the object exists and is not being deleted. */
  public static final String EXISTS = "exists";

  public static final String CLAIM_REF = "spec.claimRef";
  public static final String PHASE = "status.phase";
  public static final String CLASS = "spec.storageClassName";

  /** Volume of a claim, as stated by the volume's claimRef or by the claim's volumeName. */
  public static final String VOLUME = "volume";

  /** Value of a claimRef without fields. */
  public static final String EMPTY_REF = "(empty)";

  /** End of the value of a claimRef without uid. */
  public static final String RESERVED = "(reserved)";

  static final String FINALIZER = "metadata.finalizers";
  static final String ANNOTATION = "metadata.annotations";
  static final String ATTACHED = "status.volumesAttached";
  static final String IS_ATTACHED = "status.attached";
  static final String PRESENT = "yes";
  private static final String OWN_DOMAIN = "mooring.dev";

  private final Map<FactKey, String> facts = new TreeMap<>();
  private final String kind;
  private final ObjectKey key;

  private ObjectFacts(Kind<?> kind, ObjectKey key) {
    this.kind = kind.kind();
    this.key = key;
  }

  public static Map<FactKey, String> of(@Nullable Resource object) {
    return switch (object) {
      case null -> Map.of();
      case Volume volume -> new ObjectFacts(Kind.VOLUME, volume.key()).addVolume(volume);
      case Claim claim -> new ObjectFacts(Kind.CLAIM, claim.key()).addClaim(claim);
      case Attachment attachment ->
          new ObjectFacts(Kind.ATTACHMENT, attachment.key()).addAttachment(attachment);
      case Node node -> new ObjectFacts(Kind.NODE, node.key()).addNode(node);
      case AttributesClass attributesClass ->
          new ObjectFacts(Kind.ATTRIBUTES_CLASS, attributesClass.key())
              .addFinalizers(attributesClass.meta());
      default -> Map.of();
    };
  }

  static String finalizer(String name) {
    return FINALIZER + "[" + name + "]";
  }

  static String annotation(String name) {
    return ANNOTATION + "[" + name + "]";
  }

  static String attached(String volume) {
    return ATTACHED + "[" + volume + "]";
  }

  static boolean isOwn(String name) {
    return name.contains(OWN_DOMAIN);
  }

  private void put(String property, String value) {
    if (!value.isEmpty()) {
      facts.put(new FactKey(kind, key, property), value);
    }
  }

  private Map<FactKey, String> addExistence(Meta meta) {
    put(EXISTS, meta.isBeingDeleted() ? "" : PRESENT);
    return facts;
  }

  private Map<FactKey, String> addFinalizers(Meta meta) {
    meta.finalizers().stream()
        .filter(name -> !isOwn(name))
        .forEach(name -> put(finalizer(name), PRESENT));
    return facts;
  }

  private void addMeta(Meta meta) {
    addExistence(meta);
    addFinalizers(meta);
    meta.annotations()
        .forEach((name, value) -> {
          if (isComparable(name)) {
            put(annotation(name), value.isEmpty() ? PRESENT : value);
          }
        });
  }

  static boolean isComparable(String annotation) {
    return annotation.startsWith("pv.kubernetes.io/")
        || annotation.startsWith("volume.kubernetes.io/")
        || annotation.startsWith("volume.beta.kubernetes.io/storage-provisioner");
  }

  private Map<FactKey, String> addVolume(Volume volume) {
    addMeta(volume.meta());
    put(PHASE, volume.phase().toString());
    put(
        "spec.capacity.storage",
        volume.capacity().containsKey("storage") ? volume.storage().toString() : "");
    if (volume.claimRef() != null && volume.claimRef().isEmpty()) {
      put(CLAIM_REF, EMPTY_REF);
    } else if (volume.claimRef() != null) {
      ObjectKey claim = volume.claimRef().claim();
      boolean isReserved = volume.claimRef().uid().isNone();
      put(CLAIM_REF, isReserved ? claim + " " + RESERVED : claim + " " + volume.claimRef().uid());
      if (!isReserved) {
        facts.put(new FactKey(Kind.CLAIM.kind(), claim, VOLUME), volume.key().name());
      }
    }
    return facts;
  }

  private Map<FactKey, String> addClaim(Claim claim) {
    addMeta(claim.meta());
    put(PHASE, claim.phase().toString());
    put(CLASS, claim.className());
    put("spec.volumeName", claim.volumeName());
    put(VOLUME, claim.volumeName());
    put("status.accessModes", String.join(",", claim.status().accessModes()));
    put(
        "status.capacity.storage",
        claim.status().capacity().containsKey("storage")
            ? claim.status().storage().toString()
            : "");
    return facts;
  }

  private Map<FactKey, String> addAttachment(Attachment attachment) {
    put(IS_ATTACHED, attachment.attached() ? PRESENT : "");
    return addExistence(attachment.meta());
  }

  private Map<FactKey, String> addNode(Node node) {
    node.volumesAttached().keySet().forEach(volume -> put(attached(volume), PRESENT));
    return facts;
  }
}
