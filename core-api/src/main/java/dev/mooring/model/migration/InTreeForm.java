package dev.mooring.model.migration;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.NodeAffinity.Term;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Translates a volume that a CSI driver provisioned for an in-tree StorageClass to its in-tree
 * form. Existing readers of such volumes, and clusters that roll back the migration, require that
 * form.
 *
 * <p>Pure and thread-safe. Never throws for any content of its arguments.
 */
public final class InTreeForm {
  private static final Pattern AZURE_DISK =
      Pattern.compile(
          ".*/subscriptions/.*/resourceGroups/.*/providers/Microsoft\\.Compute/disks/(.+)");
  private static final Pattern AZURE_BLOB = Pattern.compile("http.*://.*/vhds/(.+)");
  private static final int GCE_PARTS = 6;

  public record ProvisionedVolume(
      String handle,
      String fsType,
      boolean readOnly,
      Map<String, String> attributes,
      CsiVolume.@Nullable Secret nodeStage,
      NodeAffinity affinity) {}

  public sealed interface Form {
    /**
     * Parts of the PersistentVolume that differ from the CSI form.
     *
     * @param type field of the volume's source in the spec
     * @param source value of that field
     * @param affinity nodes that can reach the volume, with Kubernetes' label keys
     * @param labels labels of the PersistentVolume
     * @param annotations annotations of the PersistentVolume
     */
    record InTree(
        String type,
        Map<String, Object> source,
        NodeAffinity affinity,
        Map<String, String> labels,
        Map<String, String> annotations)
        implements Form {}

    record Refused(String reason) implements Form {}
  }

  private InTreeForm() {}

  public static Form of(String plugin, ProvisionedVolume volume) {
    return switch (plugin) {
      case "kubernetes.io/aws-ebs" -> toEbs(volume);
      case "kubernetes.io/gce-pd" -> toGce(volume);
      case "kubernetes.io/cinder" ->
          zonalForm(
              "cinder",
              diskSource("volumeID", volume.handle(), volume),
              renameZoneKey(volume.affinity(), "topology.cinder.csi.openstack.org/zone"));
      case "kubernetes.io/azure-disk" -> toAzureDisk(volume);
      case "kubernetes.io/azure-file" -> toAzureFile(volume);
      case "kubernetes.io/vsphere-volume" -> toVsphere(volume);
      case "kubernetes.io/portworx-volume" ->
          unzoned(
              "portworxVolume", diskSource("volumeID", volume.handle(), volume), volume, Map.of());
      default -> new Form.Refused(plugin + " is not a migrated in-tree provisioner");
    };
  }

  private static Form unzoned(
      String type,
      Map<String, Object> source,
      ProvisionedVolume volume,
      Map<String, String> annotations) {
    return new Form.InTree(type, source, volume.affinity(), Map.of(), annotations);
  }

  private static Map<String, Object> diskSource(
      String idMember, String id, ProvisionedVolume volume) {
    Map<String, Object> source = new LinkedHashMap<>();
    source.put(idMember, id);
    if (!volume.fsType().isEmpty()) {
      source.put("fsType", volume.fsType());
    }
    if (volume.readOnly()) {
      source.put("readOnly", true);
    }
    return source;
  }

  private static Form toEbs(ProvisionedVolume volume) {
    Map<String, Object> source = diskSource("volumeID", volume.handle(), volume);
    String partition = volume.attributes().get("partition");
    return addPartition(source, partition)
        .orElseGet(() ->
            regionalForm(
                "awsElasticBlockStore",
                source,
                renameZoneKey(volume.affinity(), "topology.ebs.csi.aws.com/zone"),
                ZoneRegions::ofAws));
  }

  private static Form toGce(ProvisionedVolume volume) {
    String[] segments = volume.handle().split("/", -1);
    if (segments.length < GCE_PARTS) {
      return new Form.Refused("\"" + volume.handle() + "\" is not the id of a disk");
    }
    Map<String, Object> source = diskSource("pdName", segments[GCE_PARTS - 1], volume);
    String partition = volume.attributes().getOrDefault("partition", "");
    return addPartition(source, partition.isEmpty() ? null : partition)
        .orElseGet(() ->
            regionalForm(
                "gcePersistentDisk",
                source,
                renameZoneKey(volume.affinity(), "topology.gke.io/zone"),
                ZoneRegions::ofGce));
  }

  private static Optional<Form> addPartition(
      Map<String, Object> source, @Nullable String partition) {
    if (partition == null) {
      return Optional.empty();
    }
    try {
      int number = Integer.parseInt(partition);
      if (number != 0) {
        source.put("partition", number);
      }
      return Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.of(new Form.Refused("\"" + partition + "\" is not a partition number"));
    }
  }

  private static Form toAzureDisk(ProvisionedVolume volume) {
    boolean isBlob = volume.handle().toLowerCase(Locale.ROOT).startsWith("http");
    Matcher name = (isBlob ? AZURE_BLOB : AZURE_DISK).matcher(volume.handle());
    if (!name.matches()) {
      return new Form.Refused("\"" + volume.handle() + "\" is not the URI of a disk");
    }
    Map<String, Object> source = new LinkedHashMap<>();
    source.put("diskName", name.group(1));
    source.put("diskURI", volume.handle());
    source.put("fsType", volume.fsType());
    source.put("readOnly", volume.readOnly());
    source.put("kind", "Managed");
    new TreeMap<>(volume.attributes())
        .forEach((key, value) -> {
          switch (value.isEmpty() ? "" : key.toLowerCase(Locale.ROOT)) {
            case "cachingmode" -> source.put("cachingMode", value);
            case "fstype" -> source.put("fsType", value);
            default -> {}
          }
        });
    return unzoned("azureDisk", source, volume, Map.of());
  }

  private static Form toAzureFile(ProvisionedVolume volume) {
    Map<String, String> attributes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    attributes.putAll(new TreeMap<>(volume.attributes()));
    String share = attributes.getOrDefault("sharename", "");
    String secret = attributes.getOrDefault("secretname", "");
    String namespace = attributes.getOrDefault("secretnamespace", "default");
    if (volume.nodeStage() != null && !volume.nodeStage().name().isEmpty()) {
      secret = volume.nodeStage().name();
      namespace = volume.nodeStage().namespace();
    }
    Map<String, String> annotations = Map.of();
    if (share.isEmpty() || secret.isEmpty()) {
      String[] segments = volume.handle().split("#", -1);
      if (segments.length < 3) {
        return new Form.Refused("\"" + volume.handle() + "\" is not the id of a share");
      }
      share = share.isEmpty() ? segments[2] : share;
      secret = secret.isEmpty() ? "azure-storage-account-" + segments[1] + "-secret" : secret;
      annotations =
          segments[0].isEmpty() ? Map.of() : Map.of(InTreeVolumes.AZURE_FILE_GROUP, segments[0]);
    }
    Map<String, Object> source = new LinkedHashMap<>();
    source.put("secretName", secret);
    source.put("shareName", share);
    if (volume.readOnly()) {
      source.put("readOnly", true);
    }
    source.put("secretNamespace", namespace);
    return unzoned("azureFile", source, volume, annotations);
  }

  private static Form toVsphere(ProvisionedVolume volume) {
    String path = volume.attributes().getOrDefault("initialvolumefilepath", "");
    if (path.isEmpty()) {
      return new Form.Refused(
          "the driver did not report the volume's path (initialvolumefilepath)");
    }
    Map<String, Object> source = new LinkedHashMap<>();
    source.put("volumePath", path);
    if (!volume.fsType().isEmpty()) {
      source.put("fsType", volume.fsType());
    }
    NodeAffinity affinity =
        Topology.renameKey(
            renameZoneKey(volume.affinity(), "topology.csi.vmware.com/zone"),
            "topology.csi.vmware.com/region",
            Topology.REGION);
    Map<String, String> labels = new TreeMap<>();
    firstValue(affinity, Topology.ZONE).ifPresent(zone -> labels.put(Topology.ZONE, zone));
    firstValue(affinity, Topology.REGION).ifPresent(region -> labels.put(Topology.REGION, region));
    return new Form.InTree("vsphereVolume", source, affinity, labels, Map.of());
  }

  private static Optional<String> firstValue(NodeAffinity affinity, String key) {
    return values(affinity, key).stream().findFirst();
  }

  private static NodeAffinity renameZoneKey(NodeAffinity affinity, String key) {
    return Topology.renameKey(affinity, key, Topology.ZONE);
  }

  private static TreeSet<String> values(NodeAffinity affinity, String key) {
    TreeSet<String> values = new TreeSet<>();
    affinity.terms().forEach(term -> values.addAll(values(term, key)));
    return values;
  }

  private static List<String> values(Term term, String key) {
    return term.expressions().stream()
        .filter(requirement -> requirement.key().equals(key))
        .flatMap(requirement -> requirement.values().stream())
        .toList();
  }

  private static Form zonalForm(String type, Map<String, Object> source, NodeAffinity affinity) {
    return new Form.InTree(type, source, affinity, zoneLabels(affinity), Map.of());
  }

  private static Map<String, String> zoneLabels(NodeAffinity affinity) {
    TreeSet<String> zones = values(affinity, Topology.ZONE);
    return zones.isEmpty()
        ? Map.of()
        : Map.of(Topology.ZONE, String.join(Topology.SEPARATOR, zones));
  }

  @FunctionalInterface
  private interface RegionLookup {
    Optional<String> find(List<String> zones);
  }

  private static Form regionalForm(
      String type, Map<String, Object> source, NodeAffinity affinity, RegionLookup lookup) {
    List<Term> terms = new ArrayList<>();
    for (Term term : affinity.terms()) {
      if (term.expressions().stream()
          .anyMatch(requirement -> requirement.key().equals(Topology.REGION))) {
        terms.add(term);
        continue;
      }
      List<String> zones = values(term, Topology.ZONE);
      Optional<String> region = lookup.find(zones);
      if (region.isEmpty()) {
        return new Form.Refused("the zones " + zones + " do not belong to one region");
      }
      List<Requirement> expressions = new ArrayList<>(term.expressions());
      expressions.add(new Requirement(Topology.REGION, "In", List.of(region.get())));
      terms.add(new Term(expressions, term.fields()));
    }
    NodeAffinity completeAffinity = new NodeAffinity(terms);
    Map<String, String> labels = new TreeMap<>(zoneLabels(completeAffinity));
    TreeSet<String> regions = values(completeAffinity, Topology.REGION);
    if (regions.size() == 1) {
      labels.put(Topology.REGION, regions.first());
    }
    return new Form.InTree(type, source, completeAffinity, labels, Map.of());
  }
}
