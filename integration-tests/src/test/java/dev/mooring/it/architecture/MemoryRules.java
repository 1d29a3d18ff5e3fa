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
 * R16: what a controller remembers is in {@code state}, and no record only bundles constructor
 * arguments. Written for any root package, like {@link LayerRules}.
 */
final class MemoryRules {
  private static final String BAGS = "\\w*(Tools|Parts|Hooks|Callbacks|Dependencies|Collaborators)";

  /** Collections in {@code execute} that are not memory, with the reason. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "binder.execute.RecyclerPodTemplates.byType", "configured templates",
          "csi.execute.CapacityOwner.cachedReference", "the owner reference, read once",
          "csi.execute.DriverSession.listeners", "added at assembly",
          "provisioner.execute.ClaimNotes.names", "names of the provisioner");

  private final String root;

  MemoryRules(String root) {
    this.root = root;
  }

  private String[] controllers(String inside) {
    return ControllerRules.CONTROLLERS.stream()
        .map(name -> root + "." + name + inside)
        .toArray(String[]::new);
  }

  ArchRule executeRemembersNothing() {
    return fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAnyPackage(controllers(".execute.."))
        .and()
        .areNotStatic()
        .should(
            new ArchCondition<JavaField>("be no collections") {
              @Override
              public void check(JavaField field, ConditionEvents events) {
                JavaClass type = field.getRawType();
                boolean collects =
                    type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class);
                String name = field.getFullName().substring(root.length() + 1);
                if (collects && !isData(field) && !SETTINGS.containsKey(name)) {
                  events.add(
                      SimpleConditionEvent.violated(field, field.getFullName() + " is memory"));
                }
              }
            });
  }

  /** Components of records are values that their users keep. */
  private static boolean isData(JavaField field) {
    return field.getOwner().isRecord();
  }

  ArchRule recordsAreNoBags() {
    return classes()
        .that()
        .resideInAnyPackage(controllers(".."))
        .and()
        .areRecords()
        .and()
        .resideOutsideOfPackage("..decide..")
        .should(
            new ArchCondition<JavaClass>("be more than a bundle of arguments") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                if (type.getSimpleName().matches(BAGS) || functions(type).count() > 1) {
                  events.add(SimpleConditionEvent.violated(type, type.getName() + " is a bag"));
                }
              }
            });
  }

  private static Stream<JavaField> functions(JavaClass type) {
    return type.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .filter(field ->
            field.getRawType().getPackageName().equals("java.util.function")
                || field.getRawType().isEquivalentTo(Runnable.class));
  }
}
