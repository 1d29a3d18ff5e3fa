package dev.mooring.apiserver.kinds;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * What is wrong with the sources of volumes that pods and PersistentVolumes have in common, or
 * almost.
 */
final class VolumeSources {
  private static final int LONGEST_DRIVER = 63;
  private static final Pattern IQN =
      Pattern.compile(
          "iqn\\.\\d{4}-\\d{2}\\.([a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*)(:[^,;*&$|\\s]+)$");
  private static final Pattern EUI = Pattern.compile("^eui.[a-zA-Z0-9]{16}$");
  private static final Pattern NAA = Pattern.compile("^naa.[a-zA-Z0-9]{32}$");
  private static final String[] HOST_PATHS = {
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket"
  };

  /** The rules that hold wherever such a source stands. */
  static final Map<String, Consumer<Place>> COMMON =
      Map.ofEntries(
          Map.entry("hostPath", VolumeSources::hostPath),
          Map.entry("gcePersistentDisk", s -> disk(s.as(persistentDisk(s)), "pdName")),
          Map.entry("awsElasticBlockStore", s -> disk(s, "volumeID")),
          Map.entry("nfs", VolumeSources::nfs),
          Map.entry("glusterfs", VolumeSources::glusterfs),
          Map.entry("rbd", s -> s.need("monitors", "image")),
          Map.entry("cephfs", s -> s.need("monitors")),
          Map.entry("fc", VolumeSources::fc),
          Map.entry("flocker", VolumeSources::flocker),
          Map.entry("flexVolume", VolumeSources::flex),
          Map.entry("vsphereVolume", s -> s.need("volumePath")),
          Map.entry("quobyte", VolumeSources::quobyte),
          Map.entry("azureDisk", VolumeSources::azureDisk),
          Map.entry("photonPersistentDisk", s -> s.need("pdID")),
          Map.entry("portworxVolume", s -> s.need("volumeID")),
          Map.entry("scaleIO", s -> s.need("gateway", "system", "volumeName")),
          Map.entry("local", VolumeSources::local));

  private VolumeSources() {}

  private static String persistentDisk(Place source) {
    return source.field().replaceAll("gcePersistentDisk$", "persistentDisk");
  }

  private static void hostPath(Place source) {
    source.need("path");
    if (!source.isEmpty("path")) {
      source.noBacksteps("path");
      source.oneOf("type", HOST_PATHS);
    }
  }

  private static void local(Place source) {
    source.need("path");
    source.noBacksteps("path");
  }

  private static void disk(Place source, String id) {
    source.need(id);
    if (source.number("partition") < 0 || source.number("partition") > 255) {
      source.invalid("partition", "must be between 1 and 255, inclusive");
    }
  }

  private static void nfs(Place source) {
    source.need("server", "path");
    if (!source.text("path").startsWith("/")) {
      source.invalid("path", "must be an absolute path");
    }
  }

  private static void glusterfs(Place source) {
    source.need("endpoints", "path");
    if (source.has("endpointsNamespace")) {
      if (source.isEmpty("endpointsNamespace")) {
        source.invalid(
            "endpointsNamespace",
            "if the endpointnamespace is set, it must be a valid namespace name");
      }
      source.label("endpointsNamespace");
    }
  }

  private static void fc(Place source) {
    boolean targets = !source.isEmpty("targetWWNs");
    boolean ids = !source.isEmpty("wwids");
    if (!targets && !ids) {
      source.required("targetWWNs", "must specify either targetWWNs or wwids, but not both");
    }
    if (targets && ids) {
      source.invalid("targetWWNs", "targetWWNs and wwids can not be specified simultaneously");
    }
    if (targets && !source.has("lun")) {
      source.required("lun", "lun is required if targetWWNs is specified");
    } else if (targets) {
      source.range("lun", 0, 255);
    }
  }

  private static void flocker(Place source) {
    boolean name = !source.isEmpty("datasetName");
    boolean id = !source.isEmpty("datasetUUID");
    if (!name && !id) {
      source.errors().required(source.field(), "one of datasetName and datasetUUID is required");
    }
    if (name && id) {
      source
          .errors()
          .invalid(
              source.field(),
              "resource",
              "datasetName and datasetUUID can not be specified simultaneously");
    }
    if (source.text("datasetName").contains("/")) {
      source.invalid("datasetName", "must not contain '/'");
    }
  }

  private static void flex(Place source) {
    source.need("driver");
    for (String key : source.in("options").object().keySet()) {
      String domain = "." + key.split("/", 2)[0].toLowerCase(Locale.ROOT);
      if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
        source
            .errors()
            .invalid(
                source.path("options") + "[" + key + "]",
                key,
                "kubernetes.io and k8s.io namespaces are reserved");
      }
    }
  }

  private static void quobyte(Place source) {
    String why = "must be a host:port pair or multiple pairs separated by commas";
    if (source.isEmpty("registry")) {
      source.required("registry", why);
    } else if (source.text("tenant").length() >= 65) {
      source.required("tenant", "must be a UUID and may not exceed a length of 64 characters");
    } else {
      for (String pair : source.text("registry").split(",", -1)) {
        if (!pair.matches("([^:\\[\\]]*|\\[[^\\[\\]]*]):[^:\\[\\]]*")) {
          source.invalid("registry", why);
        }
      }
    }
    source.need("volume");
  }

  private static void azureDisk(Place source) {
    source.need("diskName", "diskURI");
    source.oneOf("cachingMode", "None", "ReadOnly", "ReadWrite");
    source.oneOf("kind", "Dedicated", "Managed", "Shared");
    boolean managed = source.text("kind").equals("Managed");
    String uri = source.text("diskURI");
    if (source.has("kind") && !uri.startsWith(managed ? "/subscriptions/" : "https://")) {
      source
          .errors()
          .notSupported(
              source.path("diskURI"),
              uri,
              List.of(
                  managed
                      ? "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
                      : "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"));
    }
  }

  /** iSCSI, but for the name of initiator and portal together, which differs. */
  static void iscsi(Place source) {
    source.need("targetPortal", "iqn");
    if (!source.isEmpty("iqn") && !isInitiator(source.text("iqn"))) {
      source.invalid("iqn", "must be valid format");
    }
    source.range("lun", 0, 255);
    boolean chap = source.flag("chapAuthDiscovery") || source.flag("chapAuthSession");
    if (chap && !source.has("secretRef")) {
      source.required("secretRef", "");
    }
    String initiator = source.text("initiatorName");
    if (source.has("initiatorName") && !isInitiator(initiator)) {
      source.errors().invalid(source.path("initiatorname"), initiator, "must be valid format");
    }
  }

  private static boolean isInitiator(String name) {
    return IQN.matcher(name).matches()
        || EUI.matcher(name).matches()
        || NAA.matcher(name).matches();
  }

  /** The name of a CSI driver. */
  static void driver(Place source, String field) {
    String name = source.text(field);
    if (name.isEmpty()) {
      source.required(field, "");
      return;
    }
    if (name.length() > LONGEST_DRIVER) {
      source.errors().tooLong(source.path(field), LONGEST_DRIVER);
    }
    FieldErrors found = new FieldErrors();
    ObjectNames.subdomain(name.toLowerCase(Locale.ROOT), source.path(field), found);
    found.all().forEach(c -> source.invalid(field, ObjectNames.SUBDOMAIN_RULE));
  }

  /** A reference to a secret needs these of its fields. */
  static void secret(Place source, String... fields) {
    source.given("secretRef", ref -> ref.need(fields));
  }

  static void storageOs(Place source) {
    source.need("volumeName");
    source.label("volumeName");
    source.label("volumeNamespace");
  }

  static void azureFile(Place source) {
    source.need("secretName", "shareName");
    if (source.has("secretNamespace") && source.isEmpty("secretNamespace")) {
      source.required("secretNamespace", "");
    }
  }

  /** Looks at the source that stands first in that order; every other is one too many. */
  static String first(Place holder, List<String> order, Map<String, Consumer<Place>> rules) {
    String first = "";
    for (String type : order) {
      if (!holder.has(type)) {
        continue;
      }
      boolean unnoticed = type.equals("flexVolume") && !rules.containsKey("emptyDir");
      if (!first.isEmpty() && unnoticed) {
        rules.getOrDefault(type, VolumeSources::flex).accept(holder.in(type)); // not counted there
      } else if (!first.isEmpty()) {
        holder.forbidden(
            switch (type) { // as Kubernetes spells them there
              case "cephfs" -> "cephFS";
              case "downwardAPI" -> "downwarAPI";
              default -> type;
            },
            "may not specify more than 1 volume type");
      } else {
        first = type;
        rules.getOrDefault(type, s -> {}).accept(holder.in(type));
      }
    }
    if (first.isEmpty()) {
      holder.errors().required(holder.field(), "must specify a volume type");
    }
    return first;
  }
}
