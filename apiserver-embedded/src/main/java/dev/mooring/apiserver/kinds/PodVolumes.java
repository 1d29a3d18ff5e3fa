package dev.mooring.apiserver.kinds;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A pod's volumes. */
final class PodVolumes {
  /** The order in which Kubernetes looks at them: what comes second is one too many. */
  private static final List<String> ORDER =
      List.of(
          "emptyDir",
          "hostPath",
          "gitRepo",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "secret",
          "nfs",
          "iscsi",
          "glusterfs",
          "flocker",
          "persistentVolumeClaim",
          "rbd",
          "cinder",
          "cephfs",
          "quobyte",
          "downwardAPI",
          "fc",
          "flexVolume",
          "configMap",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "storageos",
          "projected",
          "scaleIO",
          "csi",
          "ephemeral",
          "image");

  private static final Map<String, Consumer<Place>> RULES = rules();

  private PodVolumes() {}

  private static Map<String, Consumer<Place>> rules() {
    Map<String, Consumer<Place>> rules = new HashMap<>(VolumeSources.COMMON);
    rules.put("emptyDir", PodVolumes::emptyDir);
    rules.put("gitRepo", PodVolumes::gitRepo);
    rules.put("secret", s -> Projections.files(s, "secretName"));
    rules.put("configMap", s -> Projections.files(s, "name"));
    rules.put("iscsi", VolumeSources::iscsi);
    rules.put("persistentVolumeClaim", s -> s.need("claimName"));
    rules.put("cinder", PodVolumes::cinder);
    rules.put("downwardAPI", Projections::downward);
    rules.put("azureFile", s -> s.need("secretName", "shareName"));
    rules.put("storageos", PodVolumes::storageOs);
    rules.put("projected", Projections::projected);
    rules.put("csi", PodVolumes::csi);
    rules.put("ephemeral", PodVolumes::ephemeral);
    rules.put("image", PodVolumes::image);
    return rules;
  }

  /**
   * What is wrong with the volumes of a pod's spec.
   *
   * @param pod the pod's name, "" if it is not known
   * @return the source of each volume that is in order
   */
  static Map<String, String> validate(Place spec, String pod) {
    Map<String, String> sources = new HashMap<>();
    Set<String> made = new HashSet<>();
    for (Place volume : spec.all("volumes")) {
      if (!pod.isEmpty() && volume.has("ephemeral")) {
        made.add(pod + "-" + volume.text("name"));
      }
    }
    for (Place volume : spec.all("volumes")) {
      volume(volume, pod, sources);
      String claim = volume.text("persistentVolumeClaim", "claimName");
      if (made.contains(claim)) {
        volume
            .errors()
            .invalid(
                volume.path("persistentVolumeClaim.claimName"),
                claim,
                "must not reference a PVC that gets created for an ephemeral volume");
      }
    }
    return sources;
  }

  private static void volume(Place volume, String pod, Map<String, String> sources) {
    FieldErrors found = new FieldErrors();
    Place here = new Place(volume.object(), volume.field(), found);
    String type = VolumeSources.first(here, ORDER, RULES);
    String name = here.text("name");
    if (volume.has("iscsi", "initiatorName")
        && (name + ":" + volume.text("iscsi", "targetPortal")).length() > 64) {
      here.invalid("name", "must be under 64 characters together with the target portal");
    }
    if (type.equals("ephemeral") && !pod.isEmpty() && !name.isEmpty()) {
      FieldErrors claim = new FieldErrors();
      ObjectNames.subdomain(pod + "-" + name, "", claim);
      claim.all().forEach(c -> here.invalid("name", "PVC name \"" + pod + "-" + name + "\""));
    }
    here.need("name");
    here.label("name");
    if (sources.containsKey(name)) {
      found.duplicate(here.path("name"), name);
    }
    if (found.isEmpty()) {
      sources.put(name, type);
    }
    volume.errors().all().addAll(found.all());
  }

  private static void emptyDir(Place source) {
    if (source.text("sizeLimit").startsWith("-")) {
      source.forbidden("sizeLimit", "SizeLimit field must be a valid resource quantity");
    }
  }

  private static void gitRepo(Place source) {
    source.need("repository");
    source.descending("directory");
  }

  private static void cinder(Place source) {
    source.need("volumeID");
    VolumeSources.secret(source, "name");
  }

  private static void storageOs(Place source) {
    VolumeSources.storageOs(source);
    VolumeSources.secret(source, "name");
  }

  private static void csi(Place source) {
    VolumeSources.driver(source, "driver");
    source.given(
        "nodePublishSecretRef",
        ref -> {
          ref.need("name");
          if (!ref.isEmpty("name")) {
            ObjectNames.subdomain(ref.text("name"), source.path("name"), source.errors());
          }
        });
  }

  private static void ephemeral(Place source) {
    if (!source.has("volumeClaimTemplate")) {
      source.required("volumeClaimTemplate", "");
      return;
    }
    Place template = source.in("volumeClaimTemplate");
    Place metadata = template.in("metadata");
    ObjectNames.annotations(
        metadata.value("annotations"), metadata.path("annotations"), source.errors());
    ObjectNames.labels(metadata.value("labels"), metadata.path("labels"), source.errors());
    for (String name : metadata.object().keySet()) {
      if (!List.of("annotations", "labels", "creationTimestamp").contains(name)
          && !metadata.isEmpty(name)) {
        template.forbidden(name.equals("uid") ? "uID" : name, "cannot be set");
      }
    }
    ClaimStrategy.validateSpec(template.in("spec"));
  }

  private static void image(Place source) {
    source.need("reference");
    source.exactly("pullPolicy", "Always", "IfNotPresent", "Never");
  }

  /** What is wrong with the mounts and devices of a container. */
  static void validateUses(Place container, Map<String, String> sources) {
    Map<String, String> mounts = paths(container, "volumeMounts", "mountPath");
    Map<String, String> devices = paths(container, "volumeDevices", "devicePath");
    Set<String> paths = new HashSet<>();
    for (Place mount : container.all("volumeMounts")) {
      mount(mount, sources, devices);
      if (!paths.add(mount.text("mountPath"))) {
        mount.invalid("mountPath", "must be unique");
      }
      options(mount.as(container.path("volumeMounts")), mount.field(), container);
    }
    Set<String> names = new HashSet<>();
    Set<String> devicePaths = new HashSet<>();
    for (Place device : container.all("volumeDevices")) {
      device(device, sources, names, devicePaths);
      clash(device, "name", mounts.containsKey(device.text("name")), "volumeMounts");
      clash(device, "devicePath", mounts.containsValue(device.text("devicePath")), "volumeMounts");
    }
  }

  private static Map<String, String> paths(Place container, String list, String path) {
    Map<String, String> all = new HashMap<>();
    container.each(list, use -> all.put(use.text("name"), use.text(path)));
    return all;
  }

  private static void clash(Place use, String field, boolean does, String where) {
    if (does) {
      use.invalid(field, "must not already exist in " + where);
    }
  }

  private static void mount(Place mount, Map<String, String> sources, Map<String, String> devices) {
    mount.need("name");
    if (!sources.containsKey(mount.text("name"))) {
      mount.errors().notFound(mount.path("name"), mount.text("name"));
    }
    mount.need("mountPath");
    clash(mount, "name", devices.containsKey(mount.text("name")), "volumeDevices");
    clash(mount, "mountPath", devices.containsValue(mount.text("mountPath")), "volumeDevices");
  }

  /** The rest of a mount; Kubernetes tells of these without the mount's index. */
  private static void options(Place mount, String field, Place container) {
    mount.descending("subPath");
    if (!mount.isEmpty("subPathExpr")) {
      if (!mount.isEmpty("subPath")) {
        mount.as(field).invalid("subPathExpr", "subPathExpr and subPath are mutually exclusive");
      }
      mount.descending("subPathExpr");
    }
    mount.oneOf("mountPropagation", "Bidirectional", "HostToContainer", "None");
    if (mount.text("mountPropagation").equals("Bidirectional")
        && !container.flag("securityContext", "privileged")) {
      mount.forbidden(
          "mountPropagation",
          "Bidirectional mount propagation is available only to privileged containers");
    }
    mount.oneOf("recursiveReadOnly", "Disabled", "Enabled", "IfPossible");
    if (List.of("Enabled", "IfPossible").contains(mount.text("recursiveReadOnly"))) {
      if (!mount.flag("readOnly")) {
        mount.forbidden("recursiveReadOnly", "may only be specified when readOnly is true");
      }
      if (!List.of("", "None").contains(mount.text("mountPropagation"))) {
        mount.forbidden(
            "recursiveReadOnly",
            "may only be specified when mountPropagation is None or not specified");
      }
    }
  }

  private static void device(
      Place device, Map<String, String> sources, Set<String> names, Set<String> paths) {
    String name = device.text("name");
    device.need("name");
    if (!name.isEmpty() && !names.add(name)) {
      device.invalid("name", "must be unique");
    }
    String type = sources.get(name);
    if (type == null) {
      device.errors().notFound(device.path("name"), name);
    } else if (!List.of("persistentVolumeClaim", "ephemeral").contains(type)) {
      device.invalid(
          "name",
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
    }
    device.need("devicePath");
    String path = device.text("devicePath");
    if (paths.contains(path)) {
      device.invalid("devicePath", "must be unique");
    }
    if (Paths.climbs(path)) {
      device.invalid("devicePath", "can not contain backsteps ('..')");
    } else {
      paths.add(path);
    }
  }
}
