package dev.mooring.console.view;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The kinds that have pages, in the order in which they are named. */
public enum Section {
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

  Section(Kind<?> kind, String path, String title, String one) {
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

  /** What one of its objects is called. */
  public String one() {
    return one;
  }

  public static Optional<Section> of(Kind<?> kind) {
    for (Section section : values()) {
      if (section.kind.equals(kind)) {
        return Optional.of(section);
      }
    }
    return Optional.empty();
  }

  public static Optional<Section> at(String path) {
    for (Section section : values()) {
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
   * Where an object's page is. A name that ends as a form does gets a form, so that {@code .json}
   * at the end always means the form.
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
