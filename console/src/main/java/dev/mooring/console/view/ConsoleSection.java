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
  NODES(Kind.NODE, "nodes", "Nodes", "Node");

  public static final String ROOT = "/console/";

  private final Kind<?> kind;
  private final String path;
  private final String title;
  private final String one;

  ConsoleSection(Kind<?> kind, String path, String title, String one) {
    this.kind = kind;
    this.path = path;
    this.title = title;
    this.one = one;
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

  public String one() {
    return one;
  }

  public static Optional<ConsoleSection> of(Kind<?> kind) {
    for (ConsoleSection section : values()) {
      if (section.kind.equals(kind)) {
        return Optional.of(section);
      }
    }
    return Optional.empty();
  }

  public static Optional<ConsoleSection> at(String path) {
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
    return named(key)
        + (key.name().endsWith(".json") || key.name().endsWith(".html") ? ".html" : "");
  }

  public String json(ObjectKey key) {
    return named(key) + ".json";
  }

  private String named(ObjectKey key) {
    return address()
        + "/"
        + (kind.namespaced() ? encoded(key.namespace()) + "/" : "")
        + encoded(key.name());
  }

  public static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
