package dev.mooring.model.migration;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class VolumeIds {
  private static final String AWS = "aws://";
  private static final Pattern EBS = Pattern.compile("vol-[^/]*");
  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");
  private static final Pattern ACCOUNT = Pattern.compile("azure-storage-account-(.+)-secret");
  private static final String UNSPECIFIED = "UNSPECIFIED";

  private VolumeIds() {}

  /**
   * Returns the id of an EBS volume: {@code aws://zone/vol-1}, {@code aws:///vol-1} and {@code
   * vol-1} identify the same volume. Empty if the URL does not identify a volume.
   */
  static Optional<String> ebs(String volumeId) {
    if (!volumeId.startsWith(AWS)) {
      return Optional.of(volumeId);
    }
    String address = textBefore(textBefore(volumeId.substring(AWS.length()), '#'), '?');
    int slash = address.indexOf('/');
    String path = slash < 0 ? "" : address.substring(slash);
    if (BROKEN_ESCAPE.matcher(path).find()) {
      return Optional.empty();
    }
    String id =
        URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8)
            .replaceAll("^/+|/+$", "");
    return EBS.matcher(id).matches() ? Optional.of(id) : Optional.empty();
  }

  private static String textBefore(String text, char delimiter) {
    int index = text.indexOf(delimiter);
    return index < 0 ? text : text.substring(0, index);
  }

  /**
   * Returns the id of a GCE disk in the zones of the volume's labels. The deprecated label takes
   * precedence here, as in Kubernetes. Empty if several zones do not belong to one region.
   */
  static Optional<String> gce(String disk, Map<String, String> labels) {
    String deprecatedLabel = labels.getOrDefault(Topology.OLD_ZONE, "");
    String label =
        deprecatedLabel.isEmpty() ? labels.getOrDefault(Topology.ZONE, "") : deprecatedLabel;
    if (label.isEmpty()) {
      return Optional.of(zonalDisk(UNSPECIFIED, disk));
    }
    List<String> zones = List.of(label.split(Topology.SEPARATOR, -1));
    return zones.size() == 1
        ? Optional.of(zonalDisk(label, disk))
        : commonRegion(zones)
            .map(region -> "projects/" + UNSPECIFIED + "/regions/" + region + "/disks/" + disk);
  }

  static String gce(String disk) {
    return zonalDisk(UNSPECIFIED, disk);
  }

  private static String zonalDisk(String zone, String disk) {
    return "projects/" + UNSPECIFIED + "/zones/" + zone + "/disks/" + disk;
  }

  private static Optional<String> commonRegion(List<String> zones) {
    TreeSet<String> regions = new TreeSet<>();
    for (String zone : zones) {
      String[] segments = zone.split("-", -1);
      if (segments.length != 3) {
        return Optional.empty();
      }
      regions.add(segments[0] + "-" + segments[1]);
    }
    return regions.size() == 1 ? Optional.of(regions.first()) : Optional.empty();
  }

  static String azureFile(
      String group, String secret, String share, String name, String namespace) {
    return String.join("#", group, accountOf(secret), share, name, namespace);
  }

  private static String accountOf(String secret) {
    Matcher matcher = ACCOUNT.matcher(secret);
    return matcher.find() ? matcher.group(1) : secret;
  }
}
