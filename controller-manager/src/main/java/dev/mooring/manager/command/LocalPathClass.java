package dev.mooring.manager.command;

import dev.mooring.model.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates a StorageClass of local-path-provisioner to one of Mooring's local-path plugin. */
final class LocalPathClass {
  private static final String UNSAFE = "allowUnsafePathPattern";
  private static final Set<String> FALSE_VALUES = Set.of("false", "False", "FALSE", "f", "F", "0");
  private static final Set<String> UNSUPPORTED_ANNOTATIONS =
      Set.of("userPattern", "groupPattern", "permPattern");
  private static final String OWNERS =
      "directories have mode 0777 and belong to their creator; keep local-path-provisioner if pods need other owners or modes";
  private static final String SIZE = "specify a size such as 5Gi";
  private static final Set<String> COPIED_FIELDS =
      Set.of(
          "apiVersion", "kind",
          "provisioner", "reclaimPolicy",
          "volumeBindingMode", "allowVolumeExpansion",
          "mountOptions", "allowedTopologies");

  // Bookkeeping annotations of kubectl, Helm and add-on managers; not settings of the class.
  private static final Pattern TOOL_ANNOTATIONS =
      Pattern.compile(
          "(kubectl\\.kubernetes\\.io|meta\\.helm\\.sh|objectset\\.rio\\.cattle\\.io)/.*");

  private static final Pattern ACTION = Pattern.compile("\\{\\{(.*?)\\}\\}", Pattern.DOTALL);
  private static final Pattern KNOWN_ACTION =
      Pattern.compile(
          "\\.PVName|\\.PVC\\.(Namespace|Name|UID)|\\.PVC\\.(Labels|Annotations)\\.[A-Za-z_][A-Za-z0-9_]*|index\\s+\\.PVC\\.(Labels|Annotations)\\s+\"[^\"\\\\]+\"");
  private static final Pattern SAFE_START =
      Pattern.compile(
          "\\{\\{\\s*\\.PVC\\.Namespace\\s*\\}\\}/\\{\\{\\s*\\.PVC\\.Name\\s*\\}\\}(/.*)?",
          Pattern.DOTALL);

  private final Map<?, ?> manifest;
  private final String name;
  private final MigrationNotes notes;
  private boolean isChanged;

  LocalPathClass(Map<?, ?> manifest, MigrationNotes notes) {
    this.manifest = manifest;
    this.notes = notes;
    this.name = String.valueOf(members("metadata").get("name"));
  }

  private Map<?, ?> members(String key) {
    return manifest.get(key) instanceof Map<?, ?> members ? members : Map.of();
  }

  Map<String, Object> translate() {
    Map<String, Object> translated = new LinkedHashMap<>();
    for (Map.Entry<?, ?> member : manifest.entrySet()) {
      String key = String.valueOf(member.getKey());
      if (COPIED_FIELDS.contains(key) && member.getValue() != null) {
        translated.put(key, member.getValue());
      } else if (!Set.of("metadata", "parameters").contains(key)) {
        notes.add(describeField(key), member.getValue(), "StorageClasses have no such field");
      }
    }
    translated.put("metadata", metadata());
    Map<String, Object> parameters = parameters();
    if (!parameters.isEmpty()) {
      translated.put("parameters", parameters);
    }
    if (isChanged) {
      notes.addText(
          "class "
              + name
              + " differs from the existing class, because Mooring rejects the old value. Parameters are immutable: replace the class with kubectl replace --force -f mooring-class.yaml, which affects no volume");
    }
    return translated;
  }

  private String describeField(String key) {
    return "class " + name + " " + key;
  }

  private Map<String, Object> metadata() {
    Map<String, Object> translated = new LinkedHashMap<>();
    translated.put("name", name);
    Map<String, Object> annotations = new LinkedHashMap<>();
    if (members("metadata").get("annotations") instanceof Map<?, ?> parameterMap) {
      for (String key : LocalPathObjects.sortedKeys(parameterMap)) {
        Object value = parameterMap.get(key);
        if (!TOOL_ANNOTATIONS.matcher(key).matches()
            && keepsAnnotation(key, String.valueOf(value))) {
          annotations.put(key, String.valueOf(value));
        }
      }
    }
    if (!annotations.isEmpty()) {
      translated.put("annotations", annotations);
    }
    if (members("metadata").get("labels") instanceof Map<?, ?> labels && !labels.isEmpty()) {
      translated.put("labels", labels);
    }
    return translated;
  }

  private boolean keepsAnnotation(String key, String value) {
    if (UNSUPPORTED_ANNOTATIONS.contains(key)) {
      return rejectWithNote("annotation " + key, value, OWNERS);
    }
    if (key.equals(UNSAFE) && !FALSE_VALUES.contains(value)) {
      return rejectWithNote("annotation " + key, value, patternRemedy());
    }
    if (key.equals("defaultVolumeType")
        && !value.equalsIgnoreCase("hostPath")
        && !value.equalsIgnoreCase("local")) {
      return rejectWithNote(
          "annotation " + key, value, "specify hostPath or local; the default is hostPath");
    }
    return true;
  }

  private static String patternRemedy() {
    return "one claim could get the directory of another; begin pathPattern with {{ .PVC.Namespace }}/{{ .PVC.Name }}";
  }

  private boolean rejectWithNote(String key, String value, String remedy) {
    isChanged = true;
    notes.add(describeField(key), value, remedy);
    return false;
  }

  private Map<String, Object> parameters() {
    Map<String, Object> translated = new LinkedHashMap<>();
    Map<?, ?> parameterMap = members("parameters");
    for (String key : LocalPathObjects.sortedKeys(parameterMap)) {
      String value = String.valueOf(parameterMap.get(key));
      if (isTakenAsParameter(key, value)) {
        translated.put(key, value);
      }
    }
    return translated;
  }

  private boolean isTakenAsParameter(String key, String value) {
    String parameter = "parameter " + key;
    if (UNSUPPORTED_ANNOTATIONS.contains(key)) {
      return rejectWithNote(parameter, value, OWNERS);
    }
    return switch (key) {
      case "nodePath", "nodeAffinityKey" -> true;
      case "minSize", "maxSize" -> isSize(value) || rejectWithNote(parameter, value, SIZE);
      case "pathPattern" -> pattern(value);
      case UNSAFE ->
          FALSE_VALUES.contains(value) || rejectWithNote(parameter, value, patternRemedy());
      case "quotaEnforcement" ->
          rejectWithNote(
              parameter,
              value,
              "Mooring sets no quotas, so pods may write more than their claim's size; keep local-path-provisioner if you need quotas");
      default -> rejectWithNote(parameter, value, MigrationNotes.UNKNOWN);
    };
  }

  static boolean isSize(String value) {
    return value.isEmpty()
        || Quantity.parse(value).filter(q -> q.compareTo(Quantity.ZERO) > 0).isPresent();
  }

  private boolean pattern(String value) {
    Matcher action = ACTION.matcher(value);
    while (action.find()) {
      if (!KNOWN_ACTION.matcher(action.group(1).strip()).matches()) {
        return rejectWithNote(
            "parameter pathPattern",
            value,
            "of Go templates only fields, labels, annotations and index are supported; without a pattern directories are named VOLUME_NAMESPACE_CLAIM");
      }
    }
    return SAFE_START.matcher(value).matches()
        || rejectWithNote(
            "parameter pathPattern",
            value,
            patternRemedy() + "; without a pattern directories are named VOLUME_NAMESPACE_CLAIM");
  }
}
