package dev.mooring.apiserver.kinds.storage;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.TextSize;
import dev.mooring.apiserver.kinds.rules.MemberDefaults;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

public final class VolumeSources {
  private static final int MAX_DRIVER_BYTES = 63;
  private static final Pattern IQN =
      Pattern.compile(
          "iqn\\.\\d{4}-\\d{2}\\.([a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*)(:[^,;*&$|\\s]+)$");
  private static final Pattern EUI = Pattern.compile("^eui.[a-zA-Z0-9]{16}$");
  private static final Pattern NAA = Pattern.compile("^naa.[a-zA-Z0-9]{32}$");
  private static final String[] HOST_PATH_TYPES = {
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket"
  };

  public static final Map<String, Consumer<ValidatedObject>> COMMON_RULES =
      Map.ofEntries(
          Map.entry("hostPath", VolumeSources::validateHostPath),
          Map.entry("gcePersistentDisk", s -> validateDisk(s.atPath(getReportedPath(s)), "pdName")),
          Map.entry("awsElasticBlockStore", s -> validateDisk(s, "volumeID")),
          Map.entry("nfs", VolumeSources::validateNfs),
          Map.entry("glusterfs", VolumeSources::validateGlusterfs),
          Map.entry("rbd", s -> s.requireMembers("monitors", "image")),
          Map.entry("cephfs", s -> s.requireMembers("monitors")),
          Map.entry("fc", VolumeSources::validateFc),
          Map.entry("flocker", VolumeSources::validateFlocker),
          Map.entry("flexVolume", VolumeSources::validateFlex),
          Map.entry("vsphereVolume", s -> s.requireMembers("volumePath")),
          Map.entry("quobyte", VolumeSources::validateQuobyte),
          Map.entry("azureDisk", VolumeSources::validateAzureDisk),
          Map.entry("photonPersistentDisk", s -> s.requireMembers("pdID")),
          Map.entry("portworxVolume", s -> s.requireMembers("volumeID")),
          Map.entry("scaleIO", s -> s.requireMembers("gateway", "system", "volumeName")),
          Map.entry("local", VolumeSources::validateLocal));

  private VolumeSources() {}

  // Kubernetes reports errors of a GCE disk under another name.
  private static String getReportedPath(ValidatedObject source) {
    return source.field().replaceAll("gcePersistentDisk$", "persistentDisk");
  }

  private static void validateHostPath(ValidatedObject source) {
    source.requireMembers("path");
    if (!source.isEmpty("path")) {
      source.checkNoBacksteps("path");
      source.checkOneOf("type", HOST_PATH_TYPES);
    }
  }

  private static void validateLocal(ValidatedObject source) {
    source.requireMembers("path");
    source.checkNoBacksteps("path");
  }

  private static void validateDisk(ValidatedObject source, String id) {
    source.requireMembers(id);
    if (source.number("partition") < 0 || source.number("partition") > 255) {
      source.addInvalid("partition", "must be between 1 and 255, inclusive");
    }
  }

  private static void validateNfs(ValidatedObject source) {
    source.requireMembers("server", "path");
    if (!source.text("path").startsWith("/")) {
      source.addInvalid("path", "must be an absolute path");
    }
  }

  private static void validateGlusterfs(ValidatedObject source) {
    source.requireMembers("endpoints", "path");
    if (source.has("endpointsNamespace")) {
      if (source.isEmpty("endpointsNamespace")) {
        source.addInvalid(
            "endpointsNamespace",
            "if the endpointnamespace is set, it must be a valid namespace name");
      }
      source.checkLabel("endpointsNamespace");
    }
  }

  private static void validateFc(ValidatedObject source) {
    boolean hasTargets = !source.isEmpty("targetWWNs");
    boolean hasIds = !source.isEmpty("wwids");
    if (!hasTargets && !hasIds) {
      source.addRequired("targetWWNs", "must specify either targetWWNs or wwids, but not both");
    }
    if (hasTargets && hasIds) {
      source.addInvalid("targetWWNs", "targetWWNs and wwids can not be specified simultaneously");
    }
    if (hasTargets && !source.has("lun")) {
      source.addRequired("lun", "lun is required if targetWWNs is specified");
    } else if (hasTargets) {
      source.checkRange("lun", 0, 255);
    }
  }

  private static void validateFlocker(ValidatedObject source) {
    boolean hasName = !source.isEmpty("datasetName");
    boolean hasId = !source.isEmpty("datasetUUID");
    if (!hasName && !hasId) {
      source.addSelfRequired("one of datasetName and datasetUUID is required");
    }
    if (hasName && hasId) {
      source.addSelfInvalid(
          "resource", "datasetName and datasetUUID can not be specified simultaneously");
    }
    if (source.text("datasetName").contains("/")) {
      source.addInvalid("datasetName", "must not contain '/'");
    }
  }

  private static void validateFlex(ValidatedObject source) {
    source.requireMembers("driver");
    for (String key : source.getChild("options").object().keySet()) {
      String domain = "." + key.split("/", 2)[0].toLowerCase(Locale.ROOT);
      if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
        source
            .errors()
            .addInvalid(
                source.path("options") + "[" + key + "]",
                key,
                "kubernetes.io and k8s.io namespaces are reserved");
      }
    }
  }

  private static void validateQuobyte(ValidatedObject source) {
    String detail = "must be a host:port pair or multiple pairs separated by commas";
    if (source.isEmpty("registry")) {
      source.addRequired("registry", detail);
    } else if (TextSize.countBytes(source.text("tenant")) >= 65) {
      source.addRequired("tenant", "must be a UUID and may not exceed a length of 64 characters");
    } else {
      for (String pair : source.text("registry").split(",", -1)) {
        if (!pair.matches("([^:\\[\\]]*|\\[[^\\[\\]]*]):[^:\\[\\]]*")) {
          source.addInvalid("registry", detail);
        }
      }
    }
    source.requireMembers("volume");
  }

  private static void validateAzureDisk(ValidatedObject source) {
    source.requireMembers("diskName", "diskURI");
    source.checkOneOf("cachingMode", "None", "ReadOnly", "ReadWrite");
    source.checkOneOf("kind", "Dedicated", "Managed", "Shared");
    boolean isManaged = source.text("kind").equals("Managed");
    String uri = source.text("diskURI");
    if (source.has("kind") && !uri.startsWith(isManaged ? "/subscriptions/" : "https://")) {
      source.addNotSupported(
          "diskURI",
          uri,
          List.of(
              isManaged
                  ? "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
                  : "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"));
    }
  }

  /** Validates iSCSI, except the initiator name, whose message differs. */
  public static void validateIscsi(ValidatedObject source) {
    source.requireMembers("targetPortal", "iqn");
    if (!source.isEmpty("iqn") && !isInitiatorName(source.text("iqn"))) {
      source.addInvalid("iqn", "must be valid format");
    }
    source.checkRange("lun", 0, 255);
    boolean usesChap = source.flag("chapAuthDiscovery") || source.flag("chapAuthSession");
    if (usesChap && !source.has("secretRef")) {
      source.addRequired("secretRef", "");
    }
    String initiator = source.text("initiatorName");
    if (source.has("initiatorName") && !isInitiatorName(initiator)) {
      source.addInvalid("initiatorname", initiator, "must be valid format");
    }
  }

  private static boolean isInitiatorName(String name) {
    return IQN.matcher(name).matches()
        || EUI.matcher(name).matches()
        || NAA.matcher(name).matches();
  }

  public static void validateDriver(ValidatedObject source, String field) {
    String name = source.text(field);
    if (name.isEmpty()) {
      source.addRequired(field, "");
      return;
    }
    if (TextSize.countBytes(name) > MAX_DRIVER_BYTES) {
      source.errors().addTooLong(source.path(field), MAX_DRIVER_BYTES);
    }
    FieldErrors nameErrors = new FieldErrors();
    ObjectNames.validateSubdomain(name.toLowerCase(Locale.ROOT), source.path(field), nameErrors);
    nameErrors.getCauses().forEach(c -> source.addInvalid(field, ObjectNames.SUBDOMAIN_RULE));
  }

  public static void validateSecret(ValidatedObject source, String... fields) {
    source.ifPresent("secretRef", ref -> ref.requireMembers(fields));
  }

  public static void validateStorageOs(ValidatedObject source) {
    source.requireMembers("volumeName");
    source.checkLabel("volumeName");
    source.checkLabel("volumeNamespace");
  }

  static void validateAzureFile(ValidatedObject source) {
    source.requireMembers("secretName", "shareName");
    if (source.has("secretNamespace") && source.isEmpty("secretNamespace")) {
      source.addRequired("secretNamespace", "");
    }
  }

  /**
   * Validates the first source in the given order and refuses every other.
   *
   * @return the type of the source; "" if there is none
   */
  public static String validateOnlySource(
      ValidatedObject object, List<String> order, Map<String, Consumer<ValidatedObject>> rules) {
    String firstType = "";
    for (String type : order) {
      if (!object.has(type)) {
        continue;
      }
      boolean isUncounted = type.equals("flexVolume") && !rules.containsKey("emptyDir");
      if (!firstType.isEmpty() && isUncounted) {
        // Kubernetes does not count a flexVolume in a PersistentVolume as a second source
        rules.getOrDefault(type, VolumeSources::validateFlex).accept(object.getChild(type));
      } else if (!firstType.isEmpty()) {
        // Kubernetes' spelling
        object.addForbidden(
            switch (type) {
              case "cephfs" -> "cephFS";
              case "downwardAPI" -> "downwarAPI";
              default -> type;
            },
            "may not specify more than 1 volume type");
      } else {
        firstType = type;
        rules.getOrDefault(type, s -> {}).accept(object.getChild(type));
      }
    }
    if (firstType.isEmpty()) {
      object.addSelfRequired("must specify a volume type");
    }
    return firstType;
  }

  private static final Map<String, JsonObject> SOURCE_DEFAULTS =
      Map.of(
          "hostPath", parseObject("{'type': ''}"),
          "iscsi", parseObject("{'iscsiInterface': 'default'}"),
          "rbd", parseObject("{'pool': 'rbd', 'user': 'admin', 'keyring': '/etc/ceph/keyring'}"),
          "azureDisk",
              parseObject(
                  "{'cachingMode': 'ReadWrite', 'kind': 'Shared', 'fsType': 'ext4', 'readOnly': false}"),
          "scaleIO", parseObject("{'storageMode': 'ThinProvisioned', 'fsType': 'xfs'}"));

  private static JsonObject parseObject(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  public static void setDefaults(JsonObject volume) {
    SOURCE_DEFAULTS.forEach((source, defaults) -> {
      if (volume.get(source) instanceof JsonObject sourceObject) {
        defaults
            .entrySet()
            .forEach(d -> MemberDefaults.setIfAbsent(sourceObject, d.getKey(), d.getValue()));
      }
    });
  }
}
