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
          ebs(draft, Topology.zonal(affinity, labels, "topology.ebs.csi.aws.com/zone"));
      case "gcePersistentDisk" -> gce(draft, labels);
      case "cinder" -> {
        draft.affinity = Topology.zonal(affinity, labels, "topology.cinder.csi.openstack.org/zone");
        yield draft.of("volumeID");
      }
      case "azureDisk" -> azureDisk(draft);
      case "azureFile" -> azureFile(draft, volume);
      case "vsphereVolume" -> {
        draft.affinity =
            Topology.regional(
                affinity, labels, "topology.csi.vmware.com/zone", "topology.csi.vmware.com/region");
        yield vsphere(draft);
      }
      case "portworxVolume" -> portworx(draft, volume);
      default -> new NotMigrated();
    };
  }

  public static VolumeTranslation translate(Pod.Inline inline, String namespace) {
    VolumeSource source = inline.source();
    AccessModes byReadOnly = source.attribute("readOnly").equals("true") ? READERS : ONE_WRITER;
    return switch (source.type()) {
      case "awsElasticBlockStore" -> named(ebs(inline(source, ONE_WRITER), NodeAffinity.NONE));
      case "gcePersistentDisk" -> {
        Draft draft = inline(source, byReadOnly);
        draft.attributes.put("partition", partition(source, ""));
        draft.name = driver(source) + "-" + source.attribute("pdName");
        yield draft.of("pdName", VolumeIds.gce(source.attribute("pdName")));
      }
      case "cinder" -> named(inline(source, ONE_WRITER).of("volumeID"));
      case "azureDisk" -> azureDisk(inline(source, ONE_WRITER));
      case "azureFile" -> {
        String id =
            VolumeIds.azureFile(
                "",
                source.attribute("secretName"),
                source.attribute("shareName"),
                inline.name(),
                namespace);
        Draft draft = inline(source, WRITERS);
        draft.name = id;
        yield share(draft, id, namespace);
      }
      case "vsphereVolume" -> named(vsphere(inline(source, ONE_WRITER)));
      case "portworxVolume" -> {
        Draft draft = inline(source, byReadOnly);
        draft.readOnly = false;
        yield named(draft.of("volumeID"));
      }
      default -> new NotMigrated();
    };
  }

  private static final class Draft {
    private final VolumeSource in;
    private final SortedMap<String, String> attributes = new TreeMap<>();
    private final SortedMap<String, Secret> secrets = new TreeMap<>();
    private final VolumeMode volumeMode;
    private AccessModes modes;
    private NodeAffinity affinity = NodeAffinity.NONE;
    private String name;
    private boolean readOnly;

    Draft(String name, VolumeSource in, AccessModes modes, VolumeMode volumeMode) {
      this.name = name;
      this.in = in;
      this.modes = modes;
      this.volumeMode = volumeMode;
      this.readOnly = in.attribute("readOnly").equals("true");
    }

    VolumeTranslation of(String attribute) {
      return of(attribute, in.attribute(attribute));
    }

    VolumeTranslation of(String attribute, String handle) {
      if (in.attribute(attribute).isEmpty()) {
        return new Refused(in.type() + " has no " + attribute);
      }
      SortedMap<String, String> csi = new TreeMap<>();
      csi.put("driver", driver(in));
      csi.put("volumeHandle", handle);
      String fsType = in.attribute("fsType");
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
              modes,
              volumeMode,
              affinity));
    }

    void copy(String from, String to) {
      if (!in.attribute(from).isEmpty()) {
        attributes.put(to, in.attribute(from));
      }
    }
  }

  private static String driver(VolumeSource source) {
    return CsiMigration.driverOf(CsiMigration.pluginOf(source));
  }

  private static Draft inline(VolumeSource source, AccessModes modes) {
    return new Draft("", source, modes, VolumeMode.FILESYSTEM);
  }

  private static VolumeTranslation named(VolumeTranslation translation) {
    return translation instanceof Translated(CsiVolume it)
        ? new Translated(
            new CsiVolume(
                it.driver() + "-" + it.handle(),
                it.source(),
                it.attributes(),
                it.secrets(),
                it.accessModes(),
                it.volumeMode(),
                it.nodeAffinity()))
        : translation;
  }

  // An absent partition and partition 0 both mean the whole disk.
  private static String partition(VolumeSource source, String whole) {
    String number = source.attribute("partition");
    return number.isEmpty() || number.equals("0") ? whole : number;
  }

  private static VolumeTranslation ebs(Draft draft, NodeAffinity affinity) {
    draft.attributes.put("partition", partition(draft.in, "0"));
    draft.affinity = affinity;
    String written = draft.in.attribute("volumeID");
    return VolumeIds.ebs(written)
        .map(id -> draft.of("volumeID", id))
        .orElseGet(() -> new Refused("\"" + written + "\" does not identify an EBS volume"));
  }

  private static VolumeTranslation gce(Draft draft, Map<String, String> labels) {
    draft.attributes.put("partition", partition(draft.in, ""));
    draft.affinity = Topology.zonal(draft.affinity, labels, "topology.gke.io/zone");
    draft.modes = restrictToDisk(draft.modes);
    return VolumeIds.gce(draft.in.attribute("pdName"), labels)
        .map(handle -> draft.of("pdName", handle))
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
    int writing = AccessModes.READ_WRITE_ONCE | AccessModes.READ_WRITE_MANY;
    boolean readersOnly =
        (modes.mask() & AccessModes.READ_ONLY_MANY) != 0 && (modes.mask() & writing) == 0;
    return readersOnly ? READERS : ONE_WRITER;
  }

  private static VolumeTranslation azureDisk(Draft draft) {
    String kind = draft.in.attribute("kind");
    if (!kind.isEmpty() && !kind.equalsIgnoreCase("Managed")) {
      return new Refused("azureDisk of kind " + kind + " has no CSI driver; only Managed has one");
    }
    draft.copy("cachingMode", "cachingmode");
    draft.copy("fsType", "fstype");
    draft.attributes.put("kind", "Managed");
    if (draft.name.isEmpty()) {
      draft.name = draft.in.attribute("diskURI");
    }
    return draft.of("diskURI");
  }

  private static VolumeTranslation azureFile(Draft draft, Volume volume) {
    ClaimRef claim = volume.claimRef();
    String written = draft.in.attribute("secretNamespace");
    String namespace = written.isEmpty() && claim != null ? claim.claim().namespace() : written;
    if (namespace.isEmpty()) {
      return new Refused("azureFile has no secretNamespace, and the volume has no claimRef");
    }
    String id =
        VolumeIds.azureFile(
            volume.meta().annotations().getOrDefault(AZURE_FILE_GROUP, ""),
            draft.in.attribute("secretName"),
            draft.in.attribute("shareName"),
            volume.meta().name(),
            namespace);
    return share(draft, id, namespace);
  }

  private static VolumeTranslation share(Draft draft, String id, String namespace) {
    String secret = draft.in.attribute("secretName");
    if (secret.isEmpty()) {
      return new Refused("azureFile has no secretName");
    }
    draft.attributes.put("sharename", draft.in.attribute("shareName"));
    draft.secrets.put("nodeStageSecretRef", new Secret(secret, namespace));
    return draft.of("shareName", id);
  }

  private static VolumeTranslation vsphere(Draft draft) {
    draft.copy("storagePolicyName", "storagepolicyname");
    draft.readOnly = false;
    return draft.of("volumePath");
  }

  private static VolumeTranslation portworx(Draft draft, Volume volume) {
    Map<String, String> annotations = volume.meta().annotations();
    String name = annotations.get(PORTWORX_SECRET);
    String namespace = annotations.get(PORTWORX_SECRET_NAMESPACE);
    if (name != null && namespace != null) {
      Secret secret = new Secret(name, namespace);
      for (String use :
          new String[] {
            "controllerExpandSecretRef",
            "controllerPublishSecretRef",
            "nodeExpandSecretRef",
            "nodePublishSecretRef",
            "nodeStageSecretRef"
          }) {
        draft.secrets.put(use, secret);
      }
    }
    draft.readOnly = false; // the access modes contain this information for the driver
    return draft.of("volumeID");
  }
}
