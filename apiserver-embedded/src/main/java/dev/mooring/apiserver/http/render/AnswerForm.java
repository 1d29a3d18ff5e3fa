package dev.mooring.apiserver.http.render;

import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The negotiated form of an answer.
 *
 * @param shape what represents an object
 * @param version the API version of a table or metadata kind
 */
public record AnswerForm(BodyEncoding encoding, ObjectForm shape, String version) {
  public enum BodyEncoding {
    JSON("application/json"),
    PROTOBUF("application/vnd.kubernetes.protobuf"),
    /** Unavailable for watches. */
    YAML("application/yaml");

    private final String type;

    BodyEncoding(String type) {
      this.type = type;
    }

    public String type() {
      return type;
    }
  }

  public enum ObjectForm {
    OBJECT,
    TABLE,
    METADATA,
    METADATA_LIST
  }

  public static final String UNSUPPORTED_MESSAGE =
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf";

  private static final List<String> MEDIA_TYPES =
      List.of("*/*", "application/json", "application/yaml", "application/vnd.kubernetes.protobuf");

  private static final String UNSUPPORTED_CUSTOM_MESSAGE =
      "only the following media types are accepted: application/json, application/yaml";

  private static final AnswerForm JSON = new AnswerForm(BodyEncoding.JSON, ObjectForm.OBJECT, "v1");

  String apiVersion() {
    return "meta.k8s.io/" + version;
  }

  /**
   * Returns the negotiated form, for any resource.
   *
   * @param accept the header; "" for any
   * @throws StatusException 406 if the server supports none
   */
  public static AnswerForm negotiate(String accept) throws StatusException {
    return negotiate(accept, true);
  }

  /**
   * Returns the negotiated form, for objects of the type.
   *
   * @param accept the header; "" for any
   * @throws StatusException 406 if the type supports none
   */
  public static AnswerForm negotiate(String accept, ResourceType type) throws StatusException {
    return negotiate(accept, !type.isCustom());
  }

  /**
   * Returns the negotiated form of an answer that is neither object nor list: no table, no
   * metadata.
   *
   * @param accept the header; "" for any
   * @throws StatusException 406 if the server supports none
   */
  public static AnswerForm negotiatePlain(String accept) throws StatusException {
    if (accept.isBlank()) {
      return JSON;
    }
    for (AcceptRange range : AcceptRange.parseSorted(accept)) {
      Optional<AnswerForm> form =
          parseRange(range.elements()).filter(f -> f.shape == ObjectForm.OBJECT);
      if (form.isPresent()) {
        return form.get();
      }
    }
    throw StatusException.notAcceptable(UNSUPPORTED_MESSAGE);
  }

  private static AnswerForm negotiate(String accept, boolean withProtobuf) throws StatusException {
    if (accept.isBlank()) {
      return JSON;
    }
    for (AcceptRange range : AcceptRange.parseSorted(accept)) {
      Optional<AnswerForm> form =
          parseRange(range.elements())
              .filter(f -> withProtobuf || f.encoding != BodyEncoding.PROTOBUF);
      if (form.isPresent()) {
        return form.get();
      }
    }
    if (!withProtobuf) {
      throw StatusException.notAcceptable(UNSUPPORTED_CUSTOM_MESSAGE);
    }
    boolean isSupported =
        Arrays.stream(accept.split(","))
            .map(range -> range.split(";")[0].strip())
            .anyMatch(MEDIA_TYPES::contains);
    throw isSupported
        ? StatusException.notAcceptable(UNSUPPORTED_MESSAGE)
        : StatusException.notAcceptable();
  }

  private static Optional<AnswerForm> parseRange(List<String> elements) {
    BodyEncoding encoding;
    switch (elements.getFirst()) {
      case "*/*", "application/json" -> encoding = BodyEncoding.JSON;
      case "application/vnd.kubernetes.protobuf" -> encoding = BodyEncoding.PROTOBUF;
      case "application/yaml" -> encoding = BodyEncoding.YAML;
      default -> {
        return Optional.empty();
      }
    }
    String kind = "";
    String version = "";
    String group = "";
    for (String element : elements) {
      kind = element.startsWith("as=") ? element.substring(3) : kind;
      version = element.startsWith("v=") ? element.substring(2) : version;
      group = element.startsWith("g=") ? element.substring(2) : group;
    }
    if (kind.isEmpty() && !(version + group).isEmpty()) {
      return Optional.empty();
    }
    if (kind.isEmpty()) {
      return Optional.of(new AnswerForm(encoding, ObjectForm.OBJECT, "v1"));
    }
    if (!group.equals("meta.k8s.io")
        || !version.equals("v1") && !version.equals("v1beta1")
        || encoding == BodyEncoding.PROTOBUF) {
      return Optional.empty();
    }
    return switch (kind) {
      case "Table" -> Optional.of(new AnswerForm(encoding, ObjectForm.TABLE, version));
      case "PartialObjectMetadata" ->
          Optional.of(new AnswerForm(encoding, ObjectForm.METADATA, version));
      case "PartialObjectMetadataList" ->
          Optional.of(new AnswerForm(encoding, ObjectForm.METADATA_LIST, version));
      default -> Optional.empty();
    };
  }
}
