package dev.mooring.apiserver.kinds;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

final class PodVolumes {
  /** The order in which Kubernetes checks the sources; the error names the second one. */
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

  private static final Map<String, Consumer<ValidatedObject>> RULES = rules();

  private PodVolumes() {}

  private static Map<String, Consumer<ValidatedObject>> rules() {
    Map<String, Consumer<ValidatedObject>> rules = new HashMap<>(VolumeSources.COMMON);
    rules.put("emptyDir", PodVolumes::emptyDir);
    rules.put("gitRepo", PodVolumes::gitRepo);
    rules.put("secret", s -> ProjectedSources.files(s, "secretName"));
    rules.put("configMap", s -> ProjectedSources.files(s, "name"));
    rules.put("iscsi", VolumeSources::iscsi);
    rules.put("persistentVolumeClaim", s -> s.requireMembers("claimName"));
    rules.put("cinder", PodVolumes::cinder);
    rules.put("downwardAPI", ProjectedSources::downward);
    rules.put("azureFile", s -> s.requireMembers("secretName", "shareName"));
    rules.put("storageos", PodVolumes::storageOs);
    rules.put("projected", ProjectedSources::projected);
    rules.put("csi", PodVolumes::csi);
    rules.put("ephemeral", PodVolumes::ephemeral);
    rules.put("image", PodVolumes::image);
    return rules;
  }

  /**
   * Validates the volumes of a pod's spec.
   *
   * @param pod the pod's name; "" if it is unknown
   * @return the source type of each valid volume
   */
  static Map<String, String> validate(ValidatedObject spec, String pod) {
    Map<String, String> sources = new HashMap<>();
    Set<String> made = new HashSet<>();
    for (ValidatedObject volume : spec.children("volumes")) {
      if (!pod.isEmpty() && volume.has("ephemeral")) {
        made.add(pod + "-" + volume.text("name"));
      }
    }
    for (ValidatedObject volume : spec.children("volumes")) {
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

  private static void volume(ValidatedObject volume, String pod, Map<String, String> sources) {
    FieldErrors found = new FieldErrors();
    ValidatedObject checked = new ValidatedObject(volume.object(), volume.field(), found);
    String type = VolumeSources.first(checked, ORDER, RULES);
    String name = checked.text("name");
    if (volume.has("iscsi", "initiatorName")
        && (name + ":" + volume.text("iscsi", "targetPortal")).length() > 64) {
      checked.invalid("name", "must be under 64 characters together with the target portal");
    }
    if (type.equals("ephemeral") && !pod.isEmpty() && !name.isEmpty()) {
      FieldErrors claim = new FieldErrors();
      ObjectNames.subdomain(pod + "-" + name, "", claim);
      claim.all().forEach(c -> checked.invalid("name", "PVC name \"" + pod + "-" + name + "\""));
    }
    checked.requireMembers("name");
    checked.checkLabel("name");
    if (sources.containsKey(name)) {
      found.duplicate(checked.path("name"), name);
    }
    if (found.isEmpty()) {
      sources.put(name, type);
    }
    volume.errors().all().addAll(found.all());
  }

  private static void emptyDir(ValidatedObject source) {
    if (source.text("sizeLimit").startsWith("-")) {
      source.forbidden("sizeLimit", "SizeLimit field must be a valid resource quantity");
    }
  }

  private static void gitRepo(ValidatedObject source) {
    source.requireMembers("repository");
    source.checkDescending("directory");
  }

  private static void cinder(ValidatedObject source) {
    source.requireMembers("volumeID");
    VolumeSources.secret(source, "name");
  }

  private static void storageOs(ValidatedObject source) {
    VolumeSources.storageOs(source);
    VolumeSources.secret(source, "name");
  }

  private static void csi(ValidatedObject source) {
    VolumeSources.driver(source, "driver");
    source.ifPresent(
        "nodePublishSecretRef",
        ref -> {
          ref.requireMembers("name");
          if (!ref.isEmpty("name")) {
            ObjectNames.subdomain(ref.text("name"), source.path("name"), source.errors());
          }
        });
  }

  private static void ephemeral(ValidatedObject source) {
    if (!source.has("volumeClaimTemplate")) {
      source.required("volumeClaimTemplate", "");
      return;
    }
    ValidatedObject template = source.child("volumeClaimTemplate");
    ValidatedObject metadata = template.child("metadata");
    ObjectNames.annotations(
        metadata.value("annotations"), metadata.path("annotations"), source.errors());
    ObjectNames.labels(metadata.value("labels"), metadata.path("labels"), source.errors());
    for (String name : metadata.object().keySet()) {
      if (!List.of("annotations", "labels", "creationTimestamp").contains(name)
          && !metadata.isEmpty(name)) {
        template.forbidden(name.equals("uid") ? "uID" : name, "cannot be set");
      }
    }
    ClaimStrategy.validateSpec(template.child("spec"));
  }

  private static void image(ValidatedObject source) {
    source.requireMembers("reference");
    source.requireOneOf("pullPolicy", "Always", "IfNotPresent", "Never");
  }

  static void validateUses(ValidatedObject container, Map<String, String> sources) {
    Map<String, String> mounts = paths(container, "volumeMounts", "mountPath");
    Map<String, String> devices = paths(container, "volumeDevices", "devicePath");
    Set<String> paths = new HashSet<>();
    for (ValidatedObject mount : container.children("volumeMounts")) {
      mount(mount, sources, devices);
      if (!paths.add(mount.text("mountPath"))) {
        mount.invalid("mountPath", "must be unique");
      }
      options(mount.withPath(container.path("volumeMounts")), mount.field(), container);
    }
    Set<String> names = new HashSet<>();
    Set<String> devicePaths = new HashSet<>();
    for (ValidatedObject device : container.children("volumeDevices")) {
      device(device, sources, names, devicePaths);
      rejectDuplicate(device, "name", mounts.containsKey(device.text("name")), "volumeMounts");
      rejectDuplicate(
          device, "devicePath", mounts.containsValue(device.text("devicePath")), "volumeMounts");
    }
  }

  private static Map<String, String> paths(ValidatedObject container, String list, String path) {
    Map<String, String> all = new HashMap<>();
    container.each(list, use -> all.put(use.text("name"), use.text(path)));
    return all;
  }

  private static void rejectDuplicate(
      ValidatedObject use, String field, boolean does, String where) {
    if (does) {
      use.invalid(field, "must not already exist in " + where);
    }
  }

  private static void mount(
      ValidatedObject mount, Map<String, String> sources, Map<String, String> devices) {
    mount.requireMembers("name");
    if (!sources.containsKey(mount.text("name"))) {
      mount.errors().notFound(mount.path("name"), mount.text("name"));
    }
    mount.requireMembers("mountPath");
    rejectDuplicate(mount, "name", devices.containsKey(mount.text("name")), "volumeDevices");
    rejectDuplicate(
        mount, "mountPath", devices.containsValue(mount.text("mountPath")), "volumeDevices");
  }

  /** Validates the options of a mount; Kubernetes' messages omit the mount's index here. */
  private static void options(ValidatedObject mount, String field, ValidatedObject container) {
    mount.checkDescending("subPath");
    if (!mount.isEmpty("subPathExpr")) {
      if (!mount.isEmpty("subPath")) {
        mount
            .withPath(field)
            .invalid("subPathExpr", "subPathExpr and subPath are mutually exclusive");
      }
      mount.checkDescending("subPathExpr");
    }
    mount.checkOneOf("mountPropagation", "Bidirectional", "HostToContainer", "None");
    if (mount.text("mountPropagation").equals("Bidirectional")
        && !container.flag("securityContext", "privileged")) {
      mount.forbidden(
          "mountPropagation",
          "Bidirectional mount propagation is available only to privileged containers");
    }
    mount.checkOneOf("recursiveReadOnly", "Disabled", "Enabled", "IfPossible");
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
      ValidatedObject device, Map<String, String> sources, Set<String> names, Set<String> paths) {
    String name = device.text("name");
    device.requireMembers("name");
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
    device.requireMembers("devicePath");
    String path = device.text("devicePath");
    if (paths.contains(path)) {
      device.invalid("devicePath", "must be unique");
    }
    if (VolumePaths.climbs(path)) {
      device.invalid("devicePath", "can not contain backsteps ('..')");
    } else {
      paths.add(path);
    }
  }
}
