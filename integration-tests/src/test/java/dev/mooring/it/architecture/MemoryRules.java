package dev.mooring.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;

/**
 * R16: only {@code state} stores data between reconciles, and no record only bundles constructor
 * arguments. The root package is a parameter, as in {@link LayerRules}.
 */
final class MemoryRules {
  private static final String BUNDLE_NAMES =
      "\\w*(Tools|Parts|Hooks|Callbacks|Dependencies|Collaborators)";

  /** Collections in {@code execute} that store no data of reconciles, with the reason. */
  private static final Map<String, String> PERMITTED_COLLECTIONS =
      Map.of(
          "binder.execute.RecyclerPodTemplates.byType", "configured templates",
          "csi.execute.CapacityOwner.cachedReference", "the owner reference, read once",
          "csi.execute.DriverSession.listeners", "added at assembly",
          "provisioner.execute.ClaimNotes.names", "names of the provisioner");

  private final String root;

  MemoryRules(String root) {
    this.root = root;
  }

  private String[] qualifyControllerPackages(String subpackage) {
    return ControllerRules.CONTROLLERS.stream()
        .map(name -> root + "." + name + subpackage)
        .toArray(String[]::new);
  }

  ArchRule executeStoresNothing() {
    return fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAnyPackage(qualifyControllerPackages(".execute.."))
        .and()
        .areNotStatic()
        .should(
            new ArchCondition<JavaField>("be no collections") {
              @Override
              public void check(JavaField field, ConditionEvents events) {
                JavaClass type = field.getRawType();
                boolean isCollection =
                    type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class);
                String qualifiedName = field.getFullName().substring(root.length() + 1);
                if (isCollection
                    && !isRecordComponent(field)
                    && !PERMITTED_COLLECTIONS.containsKey(qualifiedName)) {
                  events.add(
                      SimpleConditionEvent.violated(
                          field, field.getFullName() + " stores data outside state"));
                }
              }
            });
  }

  private static boolean isRecordComponent(JavaField field) {
    return field.getOwner().isRecord();
  }

  ArchRule recordsBundleNoArguments() {
    return classes()
        .that()
        .resideInAnyPackage(qualifyControllerPackages(".."))
        .and()
        .areRecords()
        .and()
        .resideOutsideOfPackage("..decide..")
        .should(
            new ArchCondition<JavaClass>("be more than a bundle of arguments") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                if (type.getSimpleName().matches(BUNDLE_NAMES)
                    || streamFunctionFields(type).count() > 1) {
                  events.add(
                      SimpleConditionEvent.violated(
                          type, type.getName() + " only bundles arguments"));
                }
              }
            });
  }

  private static Stream<JavaField> streamFunctionFields(JavaClass type) {
    return type.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .filter(field ->
            field.getRawType().getPackageName().equals("java.util.function")
                || field.getRawType().isEquivalentTo(Runnable.class));
  }
}
