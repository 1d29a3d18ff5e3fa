package dev.mooring.console.view;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Kinds that have pages, in the order of the navigation. */
public enum ConsoleSection {
  CLAIMS(Kind.CLAIM, "claims", "Claims", "Claim"),
  VOLUMES(Kind.VOLUME, "volumes", "Volumes", "Volume"),
  PODS(Kind.POD, "pods", "Pods", "Pod"),
  CLASSES(Kind.STORAGE_CLASS, "classes", "Classes", "Class"),
  ATTACHMENTS(Kind.ATTACHMENT, "attachments", "Attachments", "Attachment"),
  NODES(Kind.NODE, "nodes", "Nodes", "Node"),
  SNAPSHOTS(Kind.SNAPSHOT, "snapshots", "Snapshots", "Snapshot"),
  GROUPS(Kind.GROUP_SNAPSHOT, "groups", "Groups", "Group of snapshots");

  public static final String ROOT = "/console/";

  private final Kind<?> kind;
  private final String path;
  private final String title;
  private final String singular;

  ConsoleSection(Kind<?> kind, String path, String title, String singular) {
    this.kind = kind;
    this.path = path;
    this.title = title;
    this.singular = singular;
  }

  public Kind<?> kind() {
    return kind;
  }

  public String path() {
    return path;
  }

  public String title() {
    return title;
  }

  public String singular() {
    return singular;
  }

  public static Optional<ConsoleSection> of(Kind<?> kind) {
    for (ConsoleSection section : values()) {
      if (section.kind.equals(kind)) {
        return Optional.of(section);
      }
    }
    return Optional.empty();
  }

  public static Optional<ConsoleSection> withPath(String path) {
    for (ConsoleSection section : values()) {
      if (section.path.equals(path)) {
        return Optional.of(section);
      }
    }
    return Optional.empty();
  }

  public String address() {
    return ROOT + path;
  }

  /**
   * Returns the address of an object's page. If the name itself ends in {@code .html} or {@code
   * .json}, appends another extension, so that the extension always selects the representation.
   */
  public String address(ObjectKey key) {
    return objectPath(key)
        + (key.name().endsWith(".json") || key.name().endsWith(".html") ? ".html" : "");
  }

  public String json(ObjectKey key) {
    return objectPath(key) + ".json";
  }

  private String objectPath(ObjectKey key) {
    return address()
        + "/"
        + (kind.namespaced() ? encode(key.namespace()) + "/" : "")
        + encode(key.name());
  }

  public static String encode(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
