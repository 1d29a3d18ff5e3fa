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
  static Optional<String> ebs(String written) {
    if (!written.startsWith(AWS)) {
      return Optional.of(written);
    }
    String address = until(until(written.substring(AWS.length()), '#'), '?');
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

  private static String until(String text, char end) {
    int at = text.indexOf(end);
    return at < 0 ? text : text.substring(0, at);
  }

  /**
   * Returns the id of a GCE disk in the zones of the volume's labels. The deprecated label takes
   * precedence here, as in Kubernetes. Empty if several zones do not belong to one region.
   */
  static Optional<String> gce(String disk, Map<String, String> labels) {
    String old = labels.getOrDefault(Topology.OLD_ZONE, "");
    String label = old.isEmpty() ? labels.getOrDefault(Topology.ZONE, "") : old;
    if (label.isEmpty()) {
      return Optional.of(zonal(UNSPECIFIED, disk));
    }
    List<String> zones = List.of(label.split(Topology.SEPARATOR, -1));
    return zones.size() == 1
        ? Optional.of(zonal(label, disk))
        : region(zones)
            .map(region -> "projects/" + UNSPECIFIED + "/regions/" + region + "/disks/" + disk);
  }

  static String gce(String disk) {
    return zonal(UNSPECIFIED, disk);
  }

  private static String zonal(String zone, String disk) {
    return "projects/" + UNSPECIFIED + "/zones/" + zone + "/disks/" + disk;
  }

  private static Optional<String> region(List<String> zones) {
    TreeSet<String> regions = new TreeSet<>();
    for (String zone : zones) {
      String[] parts = zone.split("-", -1);
      if (parts.length != 3) {
        return Optional.empty();
      }
      regions.add(parts[0] + "-" + parts[1]);
    }
    return regions.size() == 1 ? Optional.of(regions.first()) : Optional.empty();
  }

  static String azureFile(
      String group, String secret, String share, String name, String namespace) {
    return String.join("#", group, account(secret), share, name, namespace);
  }

  private static String account(String secret) {
    Matcher named = ACCOUNT.matcher(secret);
    return named.find() ? named.group(1) : secret;
  }
}
