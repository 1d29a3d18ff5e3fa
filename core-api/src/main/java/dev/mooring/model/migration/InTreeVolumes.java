package dev.mooring.model.migration;

import dev.mooring.model.AccessModes;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.model.migration.CsiVolume.Secret;
import dev.mooring.model.migration.VolumeTranslation.NotMigrated;
import dev.mooring.model.migration.VolumeTranslation.Refused;
import dev.mooring.model.migration.VolumeTranslation.Translated;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Translates in-tree volumes to CSI volumes: AWS EBS, GCE persistent disk, Azure disk and file,
 * Cinder, vSphere, Portworx. All controllers use this class, so they address the same volume.
 *
 * <p>A volume without an identifier is refused. Kubernetes would treat all such volumes as the same
 * volume.
 *
 * <p>Pure and thread-safe. Never throws for any content of its arguments.
 */
public final class InTreeVolumes {
  public static final String AZURE_FILE_GROUP = "kubernetes.io/azure-file-resource-group";

  public static final String PORTWORX_SECRET = "openstorage.io/auth-secret-name";

  public static final String PORTWORX_SECRET_NAMESPACE = "openstorage.io/auth-secret-namespace";

  private static final AccessModes ONE_WRITER = AccessModes.of("ReadWriteOnce");
  private static final AccessModes READERS = AccessModes.of("ReadOnlyMany");
  private static final AccessModes WRITERS = AccessModes.of("ReadWriteMany");

  private InTreeVolumes() {}

  /**
   * Translates a PersistentVolume without its node affinity.
   *
   * @param volume volume; its annotations and labels contribute to the result
   */
  public static VolumeTranslation translate(Volume volume) {
    return translate(volume, NodeAffinity.NONE);
  }

  public static VolumeTranslation translate(Volume volume, NodeAffinity affinity) {
    VolumeSource source = volume.source();
    Map<String, String> labels = volume.meta().labels();
    Draft draft =
        new Draft(volume.meta().name(), source, volume.accessModes(), volume.volumeMode());
    draft.affinity = affinity;
    return switch (source.type()) {
      case "awsElasticBlockStore" ->
          translateEbs(
              draft, Topology.translateZone(affinity, labels, "topology.ebs.csi.aws.com/zone"));
      case "gcePersistentDisk" -> translateGce(draft, labels);
      case "cinder" -> {
        draft.affinity =
            Topology.translateZone(affinity, labels, "topology.cinder.csi.openstack.org/zone");
        yield draft.toResult("volumeID");
      }
      case "azureDisk" -> translateAzureDisk(draft);
      case "azureFile" -> translateAzureFile(draft, volume);
      case "vsphereVolume" -> {
        draft.affinity =
            Topology.translateZoneAndRegion(
                affinity, labels, "topology.csi.vmware.com/zone", "topology.csi.vmware.com/region");
        yield translateVsphere(draft);
      }
      case "portworxVolume" -> translatePortworx(draft, volume);
      default -> new NotMigrated();
    };
  }

  public static VolumeTranslation translate(Pod.Inline inline, String namespace) {
    VolumeSource source = inline.source();
    AccessModes readOnlyModes = source.attribute("readOnly").equals("true") ? READERS : ONE_WRITER;
    return switch (source.type()) {
      case "awsElasticBlockStore" ->
          nameByHandle(translateEbs(inlineDraft(source, ONE_WRITER), NodeAffinity.NONE));
      case "gcePersistentDisk" -> {
        Draft draft = inlineDraft(source, readOnlyModes);
        draft.attributes.put("partition", partition(source, ""));
        draft.name = driverOf(source) + "-" + source.attribute("pdName");
        yield draft.toResult("pdName", VolumeIds.gce(source.attribute("pdName")));
      }
      case "cinder" -> nameByHandle(inlineDraft(source, ONE_WRITER).toResult("volumeID"));
      case "azureDisk" -> translateAzureDisk(inlineDraft(source, ONE_WRITER));
      case "azureFile" -> {
        String id =
            VolumeIds.azureFile(
                "",
                source.attribute("secretName"),
                source.attribute("shareName"),
                inline.name(),
                namespace);
        Draft draft = inlineDraft(source, WRITERS);
        draft.name = id;
        yield translateShare(draft, id, namespace);
      }
      case "vsphereVolume" -> nameByHandle(translateVsphere(inlineDraft(source, ONE_WRITER)));
      case "portworxVolume" -> {
        Draft draft = inlineDraft(source, readOnlyModes);
        draft.readOnly = false;
        yield nameByHandle(draft.toResult("volumeID"));
      }
      default -> new NotMigrated();
    };
  }

  private static final class Draft {
    private final VolumeSource source;
    private final SortedMap<String, String> attributes = new TreeMap<>();
    private final SortedMap<String, Secret> secrets = new TreeMap<>();
    private final VolumeMode volumeMode;
    private AccessModes accessModes;
    private NodeAffinity affinity = NodeAffinity.NONE;
    private String name;
    private boolean readOnly;

    Draft(String name, VolumeSource source, AccessModes accessModes, VolumeMode volumeMode) {
      this.name = name;
      this.source = source;
      this.accessModes = accessModes;
      this.volumeMode = volumeMode;
      this.readOnly = source.attribute("readOnly").equals("true");
    }

    VolumeTranslation toResult(String attribute) {
      return toResult(attribute, source.attribute(attribute));
    }

    VolumeTranslation toResult(String attribute, String handle) {
      if (source.attribute(attribute).isEmpty()) {
        return new Refused(source.type() + " has no " + attribute);
      }
      SortedMap<String, String> csi = new TreeMap<>();
      csi.put("driver", driverOf(source));
      csi.put("volumeHandle", handle);
      String fsType = source.attribute("fsType");
      if (!fsType.isEmpty()) {
        csi.put("fsType", fsType);
      }
      if (readOnly) {
        csi.put("readOnly", "true");
      }
      return new Translated(
          new CsiVolume(
              name,
              new VolumeSource("csi", Map.copyOf(csi)),
              Collections.unmodifiableSortedMap(attributes),
              Collections.unmodifiableSortedMap(secrets),
              accessModes,
              volumeMode,
              affinity));
    }

    void copyAttribute(String sourceKey, String targetKey) {
      if (!source.attribute(sourceKey).isEmpty()) {
        attributes.put(targetKey, source.attribute(sourceKey));
      }
    }
  }

  private static String driverOf(VolumeSource source) {
    return CsiMigration.driverOf(CsiMigration.pluginOf(source));
  }

  private static Draft inlineDraft(VolumeSource source, AccessModes modes) {
    return new Draft("", source, modes, VolumeMode.FILESYSTEM);
  }

  private static VolumeTranslation nameByHandle(VolumeTranslation translation) {
    return translation instanceof Translated(CsiVolume volume)
        ? new Translated(
            new CsiVolume(
                volume.driver() + "-" + volume.handle(),
                volume.source(),
                volume.attributes(),
                volume.secrets(),
                volume.accessModes(),
                volume.volumeMode(),
                volume.nodeAffinity()))
        : translation;
  }

  // An absent partition and partition 0 both mean the whole disk.
  private static String partition(VolumeSource source, String wholeDisk) {
    String number = source.attribute("partition");
    return number.isEmpty() || number.equals("0") ? wholeDisk : number;
  }

  private static VolumeTranslation translateEbs(Draft draft, NodeAffinity affinity) {
    draft.attributes.put("partition", partition(draft.source, "0"));
    draft.affinity = affinity;
    String volumeId = draft.source.attribute("volumeID");
    return VolumeIds.ebs(volumeId)
        .map(id -> draft.toResult("volumeID", id))
        .orElseGet(() -> new Refused("\"" + volumeId + "\" does not identify an EBS volume"));
  }

  private static VolumeTranslation translateGce(Draft draft, Map<String, String> labels) {
    draft.attributes.put("partition", partition(draft.source, ""));
    draft.affinity = Topology.translateZone(draft.affinity, labels, "topology.gke.io/zone");
    draft.accessModes = restrictToDisk(draft.accessModes);
    return VolumeIds.gce(draft.source.attribute("pdName"), labels)
        .map(handle -> draft.toResult("pdName", handle))
        .orElseGet(() -> new Refused("the zones in the labels do not belong to one region"));
  }

  /**
   * Restricts the modes to those of a disk. The in-tree plugin ignored the modes and attached to
   * one writer, but the driver rejects modes that a disk does not support. All modes except
   * read-only-many therefore become read-write-once. An empty list, which the API server never
   * admits, becomes read-write-once too, because another result could attach one disk to two
   * writers.
   */
  private static AccessModes restrictToDisk(AccessModes modes) {
    int writerModes = AccessModes.READ_WRITE_ONCE | AccessModes.READ_WRITE_MANY;
    boolean isReadOnly =
        (modes.mask() & AccessModes.READ_ONLY_MANY) != 0 && (modes.mask() & writerModes) == 0;
    return isReadOnly ? READERS : ONE_WRITER;
  }

  private static VolumeTranslation translateAzureDisk(Draft draft) {
    String kind = draft.source.attribute("kind");
    if (!kind.isEmpty() && !kind.equalsIgnoreCase("Managed")) {
      return new Refused("azureDisk of kind " + kind + " has no CSI driver; only Managed has one");
    }
    draft.copyAttribute("cachingMode", "cachingmode");
    draft.copyAttribute("fsType", "fstype");
    draft.attributes.put("kind", "Managed");
    if (draft.name.isEmpty()) {
      draft.name = draft.source.attribute("diskURI");
    }
    return draft.toResult("diskURI");
  }

  private static VolumeTranslation translateAzureFile(Draft draft, Volume volume) {
    ClaimRef claim = volume.claimRef();
    String secretNamespace = draft.source.attribute("secretNamespace");
    String namespace =
        secretNamespace.isEmpty() && claim != null ? claim.claim().namespace() : secretNamespace;
    if (namespace.isEmpty()) {
      return new Refused("azureFile has no secretNamespace, and the volume has no claimRef");
    }
    String id =
        VolumeIds.azureFile(
            volume.meta().annotations().getOrDefault(AZURE_FILE_GROUP, ""),
            draft.source.attribute("secretName"),
            draft.source.attribute("shareName"),
            volume.meta().name(),
            namespace);
    return translateShare(draft, id, namespace);
  }

  private static VolumeTranslation translateShare(Draft draft, String id, String namespace) {
    String secret = draft.source.attribute("secretName");
    if (secret.isEmpty()) {
      return new Refused("azureFile has no secretName");
    }
    draft.attributes.put("sharename", draft.source.attribute("shareName"));
    draft.secrets.put("nodeStageSecretRef", new Secret(secret, namespace));
    return draft.toResult("shareName", id);
  }

  private static VolumeTranslation translateVsphere(Draft draft) {
    draft.copyAttribute("storagePolicyName", "storagepolicyname");
    draft.readOnly = false;
    return draft.toResult("volumePath");
  }

  private static VolumeTranslation translatePortworx(Draft draft, Volume volume) {
    Map<String, String> annotations = volume.meta().annotations();
    String name = annotations.get(PORTWORX_SECRET);
    String namespace = annotations.get(PORTWORX_SECRET_NAMESPACE);
    if (name != null && namespace != null) {
      Secret secret = new Secret(name, namespace);
      for (String secretField :
          new String[] {
            "controllerExpandSecretRef",
            "controllerPublishSecretRef",
            "nodeExpandSecretRef",
            "nodePublishSecretRef",
            "nodeStageSecretRef"
          }) {
        draft.secrets.put(secretField, secret);
      }
    }
    draft.readOnly = false; // the access modes contain this information for the driver
    return draft.toResult("volumeID");
  }
}
