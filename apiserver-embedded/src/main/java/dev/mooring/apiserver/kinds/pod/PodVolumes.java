package dev.mooring.apiserver.kinds.pod;

import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.TextSize;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import dev.mooring.apiserver.kinds.rules.VolumePaths;
import dev.mooring.apiserver.kinds.storage.ClaimStrategy;
import dev.mooring.apiserver.kinds.storage.VolumeSources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

final class PodVolumes {
  // The order in which Kubernetes checks the sources; the error names the second one.
  private static final List<String> SOURCE_ORDER =
      List.of(
          """
          emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi
          glusterfs flocker persistentVolumeClaim rbd cinder cephfs quobyte downwardAPI fc
          flexVolume configMap azureFile vsphereVolume photonPersistentDisk portworxVolume
          azureDisk storageos projected scaleIO csi ephemeral image
          """
              .split("\\s+"));

  private static final Map<String, Consumer<ValidatedObject>> SOURCE_RULES = makeSourceRules();

  private PodVolumes() {}

  private static Map<String, Consumer<ValidatedObject>> makeSourceRules() {
    Map<String, Consumer<ValidatedObject>> rules = new HashMap<>(VolumeSources.COMMON_RULES);
    rules.put("emptyDir", PodVolumes::validateEmptyDir);
    rules.put("gitRepo", PodVolumes::validateGitRepo);
    rules.put("secret", s -> ProjectedSources.validateFiles(s, "secretName"));
    rules.put("configMap", s -> ProjectedSources.validateFiles(s, "name"));
    rules.put("iscsi", VolumeSources::validateIscsi);
    rules.put("persistentVolumeClaim", s -> s.requireMembers("claimName"));
    rules.put("cinder", PodVolumes::validateCinder);
    rules.put("downwardAPI", ProjectedSources::validateDownwardApi);
    rules.put("azureFile", s -> s.requireMembers("secretName", "shareName"));
    rules.put("storageos", PodVolumes::validateStorageOs);
    rules.put("projected", ProjectedSources::validateProjected);
    rules.put("csi", PodVolumes::validateCsi);
    rules.put("ephemeral", PodVolumes::validateEphemeral);
    rules.put("image", PodVolumes::validateImage);
    return rules;
  }

  /**
   * Validates the volumes of a pod's spec.
   *
   * @param podName the pod's name; "" if it is unknown
   * @return the source type of each valid volume
   */
  static Map<String, String> validate(ValidatedObject spec, String podName) {
    Map<String, String> sources = new HashMap<>();
    Set<String> ephemeralClaims = new HashSet<>();
    for (ValidatedObject volume : spec.getChildren("volumes")) {
      if (!podName.isEmpty() && volume.has("ephemeral")) {
        ephemeralClaims.add(podName + "-" + volume.text("name"));
      }
    }
    for (ValidatedObject volume : spec.getChildren("volumes")) {
      validateVolume(volume, podName, sources);
      String claim = volume.text("persistentVolumeClaim", "claimName");
      if (ephemeralClaims.contains(claim)) {
        volume.addInvalid(
            "persistentVolumeClaim.claimName",
            claim,
            "must not reference a PVC that gets created for an ephemeral volume");
      }
    }
    return sources;
  }

  private static void validateVolume(
      ValidatedObject volume, String podName, Map<String, String> sources) {
    FieldErrors volumeErrors = new FieldErrors();
    ValidatedObject validatedVolume =
        new ValidatedObject(volume.object(), volume.field(), volumeErrors);
    String type = VolumeSources.validateOnlySource(validatedVolume, SOURCE_ORDER, SOURCE_RULES);
    String name = validatedVolume.text("name");
    if (volume.has("iscsi", "initiatorName")
        && TextSize.countBytes(name + ":" + volume.text("iscsi", "targetPortal")) > 64) {
      validatedVolume.addInvalid(
          "name", "must be under 64 characters together with the target portal");
    }
    if (type.equals("ephemeral") && !podName.isEmpty() && !name.isEmpty()) {
      FieldErrors claimErrors = new FieldErrors();
      ObjectNames.validateSubdomain(podName + "-" + name, "", claimErrors);
      claimErrors
          .getCauses()
          .forEach(
              c -> validatedVolume.addInvalid("name", "PVC name \"" + podName + "-" + name + "\""));
    }
    validatedVolume.requireMembers("name");
    validatedVolume.checkLabel("name");
    if (sources.containsKey(name)) {
      volumeErrors.addDuplicate(validatedVolume.path("name"), name);
    }
    if (volumeErrors.isEmpty()) {
      sources.put(name, type);
    }
    volume.errors().getCauses().addAll(volumeErrors.getCauses());
  }

  private static void validateEmptyDir(ValidatedObject source) {
    if (source.text("sizeLimit").startsWith("-")) {
      source.addForbidden("sizeLimit", "SizeLimit field must be a valid resource quantity");
    }
  }

  private static void validateGitRepo(ValidatedObject source) {
    source.requireMembers("repository");
    source.checkDescending("directory");
  }

  private static void validateCinder(ValidatedObject source) {
    source.requireMembers("volumeID");
    VolumeSources.validateSecret(source, "name");
  }

  private static void validateStorageOs(ValidatedObject source) {
    VolumeSources.validateStorageOs(source);
    VolumeSources.validateSecret(source, "name");
  }

  private static void validateCsi(ValidatedObject source) {
    VolumeSources.validateDriver(source, "driver");
    source.ifPresent(
        "nodePublishSecretRef",
        ref -> {
          ref.requireMembers("name");
          if (!ref.isEmpty("name")) {
            ObjectNames.validateSubdomain(ref.text("name"), source.path("name"), source.errors());
          }
        });
  }

  private static void validateEphemeral(ValidatedObject source) {
    if (!source.has("volumeClaimTemplate")) {
      source.addRequired("volumeClaimTemplate", "");
      return;
    }
    ValidatedObject template = source.getChild("volumeClaimTemplate");
    ValidatedObject metadata = template.getChild("metadata");
    ObjectNames.validateAnnotations(
        metadata.value("annotations"), metadata.path("annotations"), source.errors());
    ObjectNames.validateLabels(metadata.value("labels"), metadata.path("labels"), source.errors());
    for (String name : metadata.object().keySet()) {
      if (!List.of("annotations", "labels", "creationTimestamp").contains(name)
          && !metadata.isEmpty(name)) {
        template.addForbidden(name.equals("uid") ? "uID" : name, "cannot be set");
      }
    }
    ClaimStrategy.validateSpec(template.getChild("spec"));
  }

  private static void validateImage(ValidatedObject source) {
    source.requireMembers("reference");
    source.requireOneOf("pullPolicy", "Always", "IfNotPresent", "Never");
  }

  static void validateMounts(ValidatedObject container, Map<String, String> sources) {
    Map<String, String> mounts = collectPaths(container, "volumeMounts", "mountPath");
    Map<String, String> devices = collectPaths(container, "volumeDevices", "devicePath");
    Set<String> paths = new HashSet<>();
    for (ValidatedObject mount : container.getChildren("volumeMounts")) {
      validateMount(mount, sources, devices);
      if (!paths.add(mount.text("mountPath"))) {
        mount.addInvalid("mountPath", "must be unique");
      }
      validateMountOptions(mount.atPath(container.path("volumeMounts")), mount.field(), container);
    }
    Set<String> names = new HashSet<>();
    Set<String> devicePaths = new HashSet<>();
    for (ValidatedObject device : container.getChildren("volumeDevices")) {
      validateDevice(device, sources, names, devicePaths);
      rejectDuplicate(device, "name", mounts.containsKey(device.text("name")), "volumeMounts");
      rejectDuplicate(
          device, "devicePath", mounts.containsValue(device.text("devicePath")), "volumeMounts");
    }
  }

  private static Map<String, String> collectPaths(
      ValidatedObject container, String listField, String pathField) {
    Map<String, String> paths = new HashMap<>();
    container.forEachChild(
        listField, mount -> paths.put(mount.text("name"), mount.text(pathField)));
    return paths;
  }

  private static void rejectDuplicate(
      ValidatedObject mount, String field, boolean isDuplicate, String otherList) {
    if (isDuplicate) {
      mount.addInvalid(field, "must not already exist in " + otherList);
    }
  }

  private static void validateMount(
      ValidatedObject mount, Map<String, String> sources, Map<String, String> devices) {
    mount.requireMembers("name");
    if (!sources.containsKey(mount.text("name"))) {
      mount.addNotFound("name");
    }
    mount.requireMembers("mountPath");
    rejectDuplicate(mount, "name", devices.containsKey(mount.text("name")), "volumeDevices");
    rejectDuplicate(
        mount, "mountPath", devices.containsValue(mount.text("mountPath")), "volumeDevices");
  }

  // Validates the options of a mount; Kubernetes' messages omit the mount's index here.
  private static void validateMountOptions(
      ValidatedObject mount, String field, ValidatedObject container) {
    mount.checkDescending("subPath");
    if (!mount.isEmpty("subPathExpr")) {
      if (!mount.isEmpty("subPath")) {
        mount
            .atPath(field)
            .addInvalid("subPathExpr", "subPathExpr and subPath are mutually exclusive");
      }
      mount.checkDescending("subPathExpr");
    }
    mount.checkOneOf("mountPropagation", "Bidirectional", "HostToContainer", "None");
    if (mount.text("mountPropagation").equals("Bidirectional")
        && !container.flag("securityContext", "privileged")) {
      mount.addForbidden(
          "mountPropagation",
          "Bidirectional mount propagation is available only to privileged containers");
    }
    mount.checkOneOf("recursiveReadOnly", "Disabled", "Enabled", "IfPossible");
    if (List.of("Enabled", "IfPossible").contains(mount.text("recursiveReadOnly"))) {
      if (!mount.flag("readOnly")) {
        mount.addForbidden("recursiveReadOnly", "may only be specified when readOnly is true");
      }
      if (!List.of("", "None").contains(mount.text("mountPropagation"))) {
        mount.addForbidden(
            "recursiveReadOnly",
            "may only be specified when mountPropagation is None or not specified");
      }
    }
  }

  private static void validateDevice(
      ValidatedObject device, Map<String, String> sources, Set<String> names, Set<String> paths) {
    String name = device.text("name");
    device.requireMembers("name");
    if (!name.isEmpty() && !names.add(name)) {
      device.addInvalid("name", "must be unique");
    }
    String type = sources.get(name);
    if (type == null) {
      device.errors().addNotFound(device.path("name"), name);
    } else if (!List.of("persistentVolumeClaim", "ephemeral").contains(type)) {
      device.addInvalid(
          "name",
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
    }
    device.requireMembers("devicePath");
    String path = device.text("devicePath");
    if (paths.contains(path)) {
      device.addInvalid("devicePath", "must be unique");
    }
    if (VolumePaths.hasBackstep(path)) {
      device.addInvalid("devicePath", "can not contain backsteps ('..')");
    } else {
      paths.add(path);
    }
  }
}
