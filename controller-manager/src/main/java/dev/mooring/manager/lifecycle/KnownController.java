package dev.mooring.manager.lifecycle;

import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.attachdetach.AttachDetachRights;
import dev.mooring.attachdetach.OutOfServiceController;
import dev.mooring.binder.BinderController;
import dev.mooring.binder.BinderRights;
import dev.mooring.cluster.OwnedKey;
import dev.mooring.cluster.RbacRules;
import dev.mooring.csi.CsiBridge;
import dev.mooring.expander.ExpandController;
import dev.mooring.expander.ExpandRights;
import dev.mooring.populator.DataSourceValidator;
import dev.mooring.populator.PopulationController;
import dev.mooring.populator.PopulationMarks;
import dev.mooring.populator.PopulatorRights;
import dev.mooring.protection.AttributesClassProtection;
import dev.mooring.protection.ClaimProtection;
import dev.mooring.protection.EphemeralVolumes;
import dev.mooring.protection.ProtectionRights;
import dev.mooring.protection.VolumeProtection;
import dev.mooring.provisioner.DeletionVerifier;
import dev.mooring.provisioner.PluginProvisioners;
import dev.mooring.provisioner.ProvisionMarks;
import dev.mooring.provisioner.ProvisionRights;
import dev.mooring.provisioner.UsageController;
import dev.mooring.selinux.SeLinuxRights;
import dev.mooring.selinux.SeLinuxWarningController;
import dev.mooring.snapshots.SnapshotController;
import dev.mooring.snapshots.SnapshotMarks;
import dev.mooring.snapshots.SnapshotRights;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * All controllers of this program, with their name in {@code --controllers}, default, rights and
 * marks on objects. A new controller needs an entry here and a module in {@link ManagerModule}.
 */
public enum KnownController {
  BINDER(
      BinderController.NAME, "persistentvolume-binder", config -> BinderRights.of(config.binder())),
  CLAIM_PROTECTION(ClaimProtection.NAME, "pvc-protection", KnownController::ofClaimProtection),
  VOLUME_PROTECTION(VolumeProtection.NAME, "pv-protection", config -> ProtectionRights.VOLUMES),
  ATTRIBUTES_CLASS_PROTECTION(
      AttributesClassProtection.NAME,
      "",
      config -> ProtectionRights.ATTRIBUTES_CLASSES,
      Trait.MAY_NOT_BE_SERVED),
  EPHEMERAL_VOLUMES(
      EphemeralVolumes.NAME, "ephemeral-volume", config -> ProtectionRights.EPHEMERAL_VOLUMES),
  ATTACH_DETACH(
      AttachDetachController.NAME,
      "attachdetach",
      config -> AttachDetachRights.of(config.attachDetach())),
  OUT_OF_SERVICE(
      OutOfServiceController.NAME,
      "",
      config ->
          config.isActive(OutOfServiceController.NAME)
              ? OutOfServiceController.RIGHTS
              : RbacRules.NONE,
      OutOfServiceController.MARKS,
      Trait.BESIDE),
  EXPANDER(
      ExpandController.NAME,
      "persistentvolume-expander",
      config -> ExpandRights.ALL,
      Trait.BESIDE_FOR_PLUGINS),
  PROVISIONERS(
      PluginProvisioners.NAME,
      "",
      config -> ProvisionRights.ofPlugins(config.plugins().podsNamespace()),
      ProvisionMarks.OWN,
      Trait.BESIDE),
  USAGE(
      UsageController.NAME,
      "",
      config -> config.plugins().usage().isPositive() ? ProvisionRights.USAGE : RbacRules.NONE,
      Trait.BESIDE),
  DELETION_VERIFIER(
      DeletionVerifier.NAME,
      "",
      config ->
          config.plugins().verification().isPositive() ? ProvisionRights.USAGE : RbacRules.NONE,
      Trait.BESIDE),
  POPULATORS(
      PopulationController.NAME,
      "",
      config -> PopulatorRights.ofPopulation(config.populator()),
      PopulationMarks.OWN,
      Trait.BESIDE),
  DATA_SOURCE_VALIDATOR(
      DataSourceValidator.NAME, "", config -> PopulatorRights.VALIDATION, Trait.BESIDE),
  CSI(CsiBridge.NAME, "", config -> ofDrivers(config.csi()), ProvisionMarks.OWN, Trait.BESIDE),
  SELINUX_WARNING(
      SeLinuxWarningController.NAME, "", config -> SeLinuxRights.ALL, Trait.OFF_BY_DEFAULT),
  SNAPSHOTS(
      SnapshotController.NAME,
      "",
      config -> SnapshotRights.of(config.snapshots()),
      SnapshotMarks.OWN,
      Trait.OFF_BY_DEFAULT,
      Trait.MAY_NOT_BE_SERVED);

  private enum Trait {
    OFF_BY_DEFAULT,
    /**
     * Also runs with {@code --mode=beside}, because kube-controller-manager has no such controller.
     */
    BESIDE,
    /** With {@code --mode=beside}, works only on the volumes of plugins. */
    BESIDE_FOR_PLUGINS,
    /** Clusters may not serve its kinds, so startup does not wait for it. */
    MAY_NOT_BE_SERVED
  }

  private final String controller;
  private final String shortName;
  private final Function<ManagerConfig, RbacRules> rights;
  private final List<OwnedKey> marks;
  private final Set<Trait> traits = EnumSet.noneOf(Trait.class);

  KnownController(
      String controller,
      String shortName,
      Function<ManagerConfig, RbacRules> rights,
      Trait... traits) {
    this(controller, shortName, rights, List.of(), traits);
  }

  KnownController(
      String controller,
      String shortName,
      Function<ManagerConfig, RbacRules> rights,
      List<OwnedKey> marks,
      Trait... traits) {
    this.controller = controller;
    this.shortName = shortName;
    this.rights = rights;
    this.marks = marks;
    this.traits.addAll(Arrays.asList(traits));
  }

  private static RbacRules ofClaimProtection(ManagerConfig config) {
    RbacRules rules = ProtectionRights.ofClaims(config.features().unusedCondition());
    return config.binder().delay().delay().isZero()
        ? rules
        : rules.with(ProtectionRights.MANIFESTS);
  }

  private static RbacRules ofDrivers(ManagerConfig.Csi csi) {
    RbacRules rules = csi.drivers().isEmpty() ? RbacRules.NONE : ProvisionRights.PROVISIONING;
    for (ManagerConfig.Driver driver : csi.drivers().values()) {
      rules = rules.with(driver.config().rights());
    }
    return rules;
  }

  public static Optional<KnownController> find(String name) {
    return Arrays.stream(values()).filter(entry -> entry.isCalled(name)).findFirst();
  }

  private static Set<String> names(Predicate<KnownController> filter) {
    return Arrays.stream(values())
        .filter(filter)
        .map(entry -> entry.controller)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  public static Set<String> names() {
    return names(entry -> true);
  }

  public static Set<String> onByDefault() {
    return names(entry -> !entry.traits.contains(Trait.OFF_BY_DEFAULT));
  }

  public static Set<String> beside() {
    return names(entry ->
        entry.traits.contains(Trait.BESIDE) || entry.traits.contains(Trait.BESIDE_FOR_PLUGINS));
  }

  public static Set<String> offByDefault() {
    return names(entry -> entry.traits.contains(Trait.OFF_BY_DEFAULT));
  }

  /**
   * Returns the configured controllers that kube-controller-manager runs by default, and that must
   * not run twice.
   */
  public static Set<KnownController> sharedWithKubernetes(ManagerConfig config) {
    return Arrays.stream(values())
        .filter(one -> config.controllers().contains(one.controller))
        .filter(one -> !one.traits.contains(Trait.BESIDE))
        .filter(one -> !one.traits.contains(Trait.BESIDE_FOR_PLUGINS) || !config.beside())
        .filter(one -> !one.traits.contains(Trait.OFF_BY_DEFAULT))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(KnownController.class)));
  }

  public boolean isCalled(String name) {
    return !name.isEmpty() && (controller.equals(name) || shortName.equals(name));
  }

  public static List<OwnedKey> marks() {
    return Arrays.stream(values()).flatMap(entry -> entry.marks.stream()).distinct().toList();
  }

  public String controller() {
    return controller;
  }

  RbacRules rights(ManagerConfig config) {
    return rights.apply(config);
  }

  boolean mayNotBeServed() {
    return traits.contains(Trait.MAY_NOT_BE_SERVED);
  }
}
