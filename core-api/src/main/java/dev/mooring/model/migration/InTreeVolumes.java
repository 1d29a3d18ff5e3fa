package dev.mooring.model.migration;

import dev.mooring.model.AccessModes;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Migration;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.model.migration.CsiVolume.Secret;
import dev.mooring.model.migration.Translation.NotMigrated;
import dev.mooring.model.migration.Translation.Refused;
import dev.mooring.model.migration.Translation.Translated;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Expresses in-tree volumes as CSI volumes: AWS EBS, GCE persistent disk, Azure disk and file,
 * Cinder, vSphere, Portworx. All of it in one place, because everybody who attaches, makes, grows
 * or destroys such a volume has to mean the same one.
 *
 * <p>A volume that lacks what identifies it is refused, where Kubernetes would take all such
 * volumes for one.
 *
 * <p>Pure and thread-safe. Never throws for any content of its arguments.
 */
public final class InTreeVolumes {
  /** The annotation of Azure file volumes that names the resource group. */
  public static final String AZURE_FILE_GROUP = "kubernetes.io/azure-file-resource-group";

  /** The annotation of Portworx volumes that names the secret for the driver. */
  public static final String PORTWORX_SECRET = "openstorage.io/auth-secret-name";

  /** The annotation of Portworx volumes that names that secret's namespace. */
  public static final String PORTWORX_SECRET_NAMESPACE = "openstorage.io/auth-secret-namespace";

  private static final AccessModes ONE_WRITER = AccessModes.of("ReadWriteOnce");
  private static final AccessModes READERS = AccessModes.of("ReadOnlyMany");
  private static final AccessModes WRITERS = AccessModes.of("ReadWriteMany");

  private InTreeVolumes() {}

  /**
   * A PersistentVolume, without regard to the nodes that can reach it.
   *
   * @param volume the volume; its annotations and labels are looked at too
   */
  public static Translation translate(Volume volume) {
    return translate(volume, NodeAffinity.NONE);
  }

  /**
   * A PersistentVolume.
   *
   * @param volume the volume; its annotations and labels are looked at too
   * @param affinity its {@code spec.nodeAffinity}
   */
  public static Translation translate(Volume volume, NodeAffinity affinity) {
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

  /**
   * A volume that stands in a pod.
   *
   * @param inline the volume
   * @param namespace the pod's namespace
   */
  public static Translation translate(Pod.Inline inline, String namespace) {
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

  /** A CSI volume that is being put together. */
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

    /** Identified as it was. */
    Translation of(String attribute) {
      return of(attribute, in.attribute(attribute));
    }

    /** Identified anew; refused without the attribute. */
    Translation of(String attribute, String handle) {
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
    return Migration.driverOf(Migration.pluginOf(source));
  }

  private static Draft inline(VolumeSource source, AccessModes modes) {
    return new Draft("", source, modes, VolumeMode.FILESYSTEM);
  }

  /** In messages it is called by its driver and its handle. */
  private static Translation named(Translation translation) {
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

  /** No partition and partition 0 are the same: the whole disk. */
  private static String partition(VolumeSource source, String whole) {
    String number = source.attribute("partition");
    return number.isEmpty() || number.equals("0") ? whole : number;
  }

  private static Translation ebs(Draft draft, NodeAffinity affinity) {
    draft.attributes.put("partition", partition(draft.in, "0"));
    draft.affinity = affinity;
    String written = draft.in.attribute("volumeID");
    return VolumeIds.ebs(written)
        .map(id -> draft.of("volumeID", id))
        .orElseGet(() -> new Refused("\"" + written + "\" is no address of an EBS volume"));
  }

  private static Translation gce(Draft draft, Map<String, String> labels) {
    draft.attributes.put("partition", partition(draft.in, ""));
    draft.affinity = Topology.zonal(draft.affinity, labels, "topology.gke.io/zone");
    draft.modes = asADiskCan(draft.modes);
    return VolumeIds.gce(draft.in.attribute("pdName"), labels)
        .map(handle -> draft.of("pdName", handle))
        .orElseGet(() -> new Refused("the zones in its labels are not those of one region"));
  }

  /**
   * The in-tree plugin never looked at the modes and attached for one writer; the driver refuses
   * what a disk cannot do. So everything but readers only is one writer. No modes at all, which the
   * API server admits nowhere, are that too: a wrong guess here would give one disk to two writers.
   */
  private static AccessModes asADiskCan(AccessModes modes) {
    int writing = AccessModes.READ_WRITE_ONCE | AccessModes.READ_WRITE_MANY;
    boolean readersOnly =
        (modes.mask() & AccessModes.READ_ONLY_MANY) != 0 && (modes.mask() & writing) == 0;
    return readersOnly ? READERS : ONE_WRITER;
  }

  private static Translation azureDisk(Draft draft) {
    String kind = draft.in.attribute("kind");
    if (!kind.isEmpty() && !kind.equalsIgnoreCase("Managed")) {
      return new Refused("azureDisk of kind " + kind + " has no CSI driver, only Managed has");
    }
    draft.copy("cachingMode", "cachingmode");
    draft.copy("fsType", "fstype");
    draft.attributes.put("kind", "Managed");
    if (draft.name.isEmpty()) {
      draft.name = draft.in.attribute("diskURI");
    }
    return draft.of("diskURI");
  }

  private static Translation azureFile(Draft draft, Volume volume) {
    ClaimRef claim = volume.claimRef();
    String written = draft.in.attribute("secretNamespace");
    String namespace = written.isEmpty() && claim != null ? claim.claim().namespace() : written;
    if (namespace.isEmpty()) {
      return new Refused("azureFile names no namespace of its secret, and no claim has the volume");
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

  private static Translation share(Draft draft, String id, String namespace) {
    String secret = draft.in.attribute("secretName");
    if (secret.isEmpty()) {
      return new Refused("azureFile has no secretName");
    }
    draft.attributes.put("sharename", draft.in.attribute("shareName"));
    draft.secrets.put("nodeStageSecretRef", new Secret(secret, namespace));
    return draft.of("shareName", id);
  }

  private static Translation vsphere(Draft draft) {
    draft.copy("storagePolicyName", "storagepolicyname");
    draft.readOnly = false;
    return draft.of("volumePath");
  }

  private static Translation portworx(Draft draft, Volume volume) {
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
    draft.readOnly = false; // the driver is told by the access modes
    return draft.of("volumeID");
  }
}
