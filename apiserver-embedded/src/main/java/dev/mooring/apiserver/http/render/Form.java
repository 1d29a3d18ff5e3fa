package dev.mooring.apiserver.http.render;

import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The form in which an answer goes out.
 *
 * @param encoding of the bytes
 * @param shape of the objects
 * @param version of the shape's own kind, for all but whole objects
 */
public record Form(Encoding encoding, Shape shape, String version) {
  /** How the bytes are to be read. */
  public enum Encoding {
    /** The tree as it is. */
    JSON("application/json"),
    /** In Kubernetes' envelope. */
    PROTOBUF("application/vnd.kubernetes.protobuf"),
    /** Only for what is answered whole. */
    YAML("application/yaml");

    private final String type;

    Encoding(String type) {
      this.type = type;
    }

    /** Its media type. */
    public String type() {
      return type;
    }
  }

  /** What stands for an object. */
  public enum Shape {
    /** The object itself. */
    OBJECT,
    /** A row of a table, as kubectl prints it. */
    TABLE,
    /** Its metadata only. */
    METADATA,
    /** Metadata only, in a list. */
    METADATA_LIST
  }

  /** What is said to who accepts none of these. */
  public static final String KINDS =
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf";

  private static final List<String> TYPES =
      List.of("*/*", "application/json", "application/yaml", "application/vnd.kubernetes.protobuf");

  private static final String CUSTOM_KINDS =
      "only the following media types are accepted: application/json, application/yaml";

  private static final Form JSON = new Form(Encoding.JSON, Shape.OBJECT, "v1");

  /** What the answer's kind is versioned as. */
  String apiVersion() {
    return "meta.k8s.io/" + version;
  }

  /**
   * The first of the accepted forms that the server has.
   *
   * @param accept the header, "" for any
   * @throws Problem if it has none of them
   */
  public static Form of(String accept) throws Problem {
    return of(accept, true);
  }

  /**
   * The first of the accepted forms that objects of the type have.
   *
   * @param accept the header, "" for any
   * @throws Problem if they have none of them
   */
  public static Form of(String accept, ResourceType type) throws Problem {
    return of(accept, !type.isCustom());
  }

  /**
   * The first of the accepted forms that what is no listed resource has: no tables, no metadata.
   *
   * @param accept the header, "" for any
   * @throws Problem if it has none of them
   */
  public static Form plain(String accept) throws Problem {
    if (accept.isBlank()) {
      return JSON;
    }
    for (AcceptRange range : AcceptRange.sorted(accept)) {
      Optional<Form> form = one(range.parts()).filter(f -> f.shape == Shape.OBJECT);
      if (form.isPresent()) {
        return form.get();
      }
    }
    throw Problem.notAcceptable(KINDS);
  }

  private static Form of(String accept, boolean withProtobuf) throws Problem {
    if (accept.isBlank()) {
      return JSON;
    }
    for (AcceptRange range : AcceptRange.sorted(accept)) {
      Optional<Form> form =
          one(range.parts()).filter(f -> withProtobuf || f.encoding != Encoding.PROTOBUF);
      if (form.isPresent()) {
        return form.get();
      }
    }
    if (!withProtobuf) {
      throw Problem.notAcceptable(CUSTOM_KINDS);
    }
    boolean known =
        Arrays.stream(accept.split(","))
            .map(range -> range.split(";")[0].strip())
            .anyMatch(TYPES::contains);
    throw known ? Problem.notAcceptable(KINDS) : Problem.notAcceptable();
  }

  private static Optional<Form> one(List<String> parts) {
    Encoding encoding;
    switch (parts.getFirst()) {
      case "*/*", "application/json" -> encoding = Encoding.JSON;
      case "application/vnd.kubernetes.protobuf" -> encoding = Encoding.PROTOBUF;
      case "application/yaml" -> encoding = Encoding.YAML;
      default -> {
        return Optional.empty();
      }
    }
    String as = "";
    String version = "";
    String group = "";
    for (String part : parts) {
      as = part.startsWith("as=") ? part.substring(3) : as;
      version = part.startsWith("v=") ? part.substring(2) : version;
      group = part.startsWith("g=") ? part.substring(2) : group;
    }
    if (as.isEmpty() && !(version + group).isEmpty()) {
      return Optional.empty();
    }
    if (as.isEmpty()) {
      return Optional.of(new Form(encoding, Shape.OBJECT, "v1"));
    }
    if (!group.equals("meta.k8s.io")
        || !version.equals("v1") && !version.equals("v1beta1")
        || encoding == Encoding.PROTOBUF) {
      return Optional.empty();
    }
    return switch (as) {
      case "Table" -> Optional.of(new Form(encoding, Shape.TABLE, version));
      case "PartialObjectMetadata" -> Optional.of(new Form(encoding, Shape.METADATA, version));
      case "PartialObjectMetadataList" ->
          Optional.of(new Form(encoding, Shape.METADATA_LIST, version));
      default -> Optional.empty();
    };
  }
}
