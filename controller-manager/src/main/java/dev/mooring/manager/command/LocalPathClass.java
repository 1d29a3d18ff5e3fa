package dev.mooring.manager.command;

import dev.mooring.model.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class LocalPathClass {
  private static final String UNSAFE = "allowUnsafePathPattern";
  private static final Set<String> NO = Set.of("false", "False", "FALSE", "f", "F", "0");
  private static final Set<String> NOT_BUILT = Set.of("userPattern", "groupPattern", "permPattern");
  private static final String OWNERS =
      "directories have mode 0777 and belong to their creator; keep local-path-provisioner if pods need other owners or modes";
  private static final String SIZE = "specify a size such as 5Gi";
  private static final Set<String> SAME =
      Set.of(
          "apiVersion", "kind",
          "provisioner", "reclaimPolicy",
          "volumeBindingMode", "allowVolumeExpansion",
          "mountOptions", "allowedTopologies");

  // Bookkeeping annotations of kubectl, Helm and add-on managers; not settings of the class.
  private static final Pattern OF_TOOLS =
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

  private final Map<?, ?> given;
  private final String name;
  private final MigrationNotes notes;
  private boolean changed;

  LocalPathClass(Map<?, ?> given, MigrationNotes notes) {
    this.given = given;
    this.notes = notes;
    this.name = String.valueOf(members("metadata").get("name"));
  }

  private Map<?, ?> members(String key) {
    return given.get(key) instanceof Map<?, ?> members ? members : Map.of();
  }

  Map<String, Object> translated() {
    Map<String, Object> made = new LinkedHashMap<>();
    for (Map.Entry<?, ?> member : given.entrySet()) {
      String key = String.valueOf(member.getKey());
      if (SAME.contains(key) && member.getValue() != null) {
        made.put(key, member.getValue());
      } else if (!Set.of("metadata", "parameters").contains(key)) {
        notes.add(where(key), member.getValue(), "StorageClasses have no such field");
      }
    }
    made.put("metadata", metadata());
    Map<String, Object> parameters = parameters();
    if (!parameters.isEmpty()) {
      made.put("parameters", parameters);
    }
    if (changed) {
      notes.tell(
          "class "
              + name
              + " differs from the existing class, because Mooring rejects the old value. Parameters are immutable: replace the class with kubectl replace --force -f mooring-class.yaml, which affects no volume");
    }
    return made;
  }

  private String where(String key) {
    return "class " + name + " " + key;
  }

  private Map<String, Object> metadata() {
    Map<String, Object> made = new LinkedHashMap<>();
    made.put("name", name);
    Map<String, Object> annotations = new LinkedHashMap<>();
    if (members("metadata").get("annotations") instanceof Map<?, ?> all) {
      for (String key : LocalPathObjects.sortedKeys(all)) {
        Object value = all.get(key);
        if (!OF_TOOLS.matcher(key).matches() && isTaken(key, String.valueOf(value))) {
          annotations.put(key, String.valueOf(value));
        }
      }
    }
    if (!annotations.isEmpty()) {
      made.put("annotations", annotations);
    }
    if (members("metadata").get("labels") instanceof Map<?, ?> labels && !labels.isEmpty()) {
      made.put("labels", labels);
    }
    return made;
  }

  private boolean isTaken(String key, String value) {
    if (NOT_BUILT.contains(key)) {
      return leftOut("annotation " + key, value, OWNERS);
    }
    if (key.equals(UNSAFE) && !NO.contains(value)) {
      return leftOut("annotation " + key, value, beginning());
    }
    if (key.equals("defaultVolumeType")
        && !value.equalsIgnoreCase("hostPath")
        && !value.equalsIgnoreCase("local")) {
      return leftOut(
          "annotation " + key, value, "specify hostPath or local; the default is hostPath");
    }
    return true;
  }

  private static String beginning() {
    return "one claim could get the directory of another; begin pathPattern with {{ .PVC.Namespace }}/{{ .PVC.Name }}";
  }

  private boolean leftOut(String key, String value, String remedy) {
    changed = true;
    notes.add(where(key), value, remedy);
    return false;
  }

  private Map<String, Object> parameters() {
    Map<String, Object> made = new LinkedHashMap<>();
    Map<?, ?> all = members("parameters");
    for (String key : LocalPathObjects.sortedKeys(all)) {
      String value = String.valueOf(all.get(key));
      if (isTakenAsParameter(key, value)) {
        made.put(key, value);
      }
    }
    return made;
  }

  private boolean isTakenAsParameter(String key, String value) {
    String parameter = "parameter " + key;
    if (NOT_BUILT.contains(key)) {
      return leftOut(parameter, value, OWNERS);
    }
    return switch (key) {
      case "nodePath", "nodeAffinityKey" -> true;
      case "minSize", "maxSize" -> isSize(value) || leftOut(parameter, value, SIZE);
      case "pathPattern" -> pattern(value);
      case UNSAFE -> NO.contains(value) || leftOut(parameter, value, beginning());
      case "quotaEnforcement" ->
          leftOut(
              parameter,
              value,
              "Mooring sets no quotas, so pods may write more than their claim's size; keep local-path-provisioner if you need quotas");
      default -> leftOut(parameter, value, MigrationNotes.UNKNOWN);
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
        return leftOut(
            "parameter pathPattern",
            value,
            "of Go templates only fields, labels, annotations and index are supported; without a pattern directories are named VOLUME_NAMESPACE_CLAIM");
      }
    }
    return SAFE_START.matcher(value).matches()
        || leftOut(
            "parameter pathPattern",
            value,
            beginning() + "; without a pattern directories are named VOLUME_NAMESPACE_CLAIM");
  }
}
