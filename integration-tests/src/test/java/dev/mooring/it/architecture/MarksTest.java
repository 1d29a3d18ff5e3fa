package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.mooring.cluster.OwnedKey;
import dev.mooring.cluster.VersionBumper;
import dev.mooring.csi.decide.PublicationRecord;
import dev.mooring.manager.uninstall.LeftoverFinder;
import dev.mooring.manager.uninstall.LeftoverObject;
import dev.mooring.manager.uninstall.OwnedMarks;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.PartialObjectBuilder;
import dev.mooring.testkit.TestObjects;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that every name that Mooring may write to an object is known to {@code uninstall} or
 * listed in docs/annotations.md.
 */
class MarksTest {
  private static final Path PAGE = Path.of("..", "docs", "annotations.md");

  private static final Pattern OWN = Pattern.compile("\\bmooring\\.dev/[\\w.-]*");

  private static final Pattern OF_KUBERNETES =
      Pattern.compile(
          "(?:(?<![\\w.-])(?:[a-z0-9-]+\\.)*(?:kubernetes|k8s)\\.io|external-attacher)/[\\w.-]*");

  /**
   * Names that {@code uninstall} need not list: they are never stored, or live on VolumeAttachments
   * and disappear with them, or {@code uninstall} removes them by prefix (condition types).
   */
  private static final Set<String> NO_MARKS =
      Set.of(
          OwnedKey.PREFIX,
          "mooring.dev/v1alpha1",
          "mooring.dev/local",
          "mooring.dev/Waiting",
          PublicationRecord.VOLUME_HANDLE,
          "mooring.dev/deletion-brake", // on the Lease, which uninstall removes as a whole
          VersionBumper.VERSION_MARK);

  /** Names that are only read, or that are no marks: versions, plugins, parameters, taints. */
  private static final Pattern NOT_WRITTEN =
      Pattern.compile(
          String.join(
              "|",
              ".*k8s\\.io/v1(alpha1|beta1)?",
              "kubernetes\\.io/(aws-ebs|gce-pd|cinder|azure-disk|azure-file|vsphere-volume|portworx-volume|azure-file-resource-group)",
              "kubernetes\\.io/(iscsi|fc|csi|nfs|host-path|no-provisioner|hostname|)",
              "kubernetes\\.io/(serviceaccount|service-name)",
              "groupsnapshot\\.storage\\.kubernetes\\.io/is-default-class",
              "failure-domain\\.beta\\.kubernetes\\.io/(zone|region)",
              "topology\\.kubernetes\\.io/(zone|region)",
              "storageclass(\\.beta)?\\.kubernetes\\.io/is-default-class",
              "snapshot\\.storage\\.kubernetes\\.io/is-default-class",
              "snapshot\\.storage\\.kubernetes\\.io/allow-volume-mode-change",
              "volume\\.beta\\.kubernetes\\.io/storage-class",
              "volumes\\.kubernetes\\.io/controller-managed-attach-detach",
              "node\\.kubernetes\\.io/out-of-service",
              "kubectl\\.kubernetes\\.io/last-applied-configuration",
              "k8s\\.io/initial-events-end",
              "registry\\.k8s\\.io/.*",
              "client\\.authentication\\.k8s\\.io/exec",
              "csi\\.storage\\.k8s\\.io/(?!drivername|managed-by).*"));

  private static Set<String> constants(Pattern pattern) throws Exception {
    Set<String> found = new TreeSet<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.mooring")) {
      boolean isProduct =
          Stream.of("apiserver", "benchmarks", "it", "testkit", "reference", "manager.uninstall")
              .noneMatch(not -> type.getPackageName().startsWith("dev.mooring." + not));
      if (isProduct) {
        try (InputStream code = type.getSource().orElseThrow().getUri().toURL().openStream()) {
          for (PoolEntry entry : ClassFile.of().parse(code.readAllBytes()).constantPool()) {
            if (entry instanceof Utf8Entry text) {
              Matcher matcher = pattern.matcher(text.stringValue());
              while (matcher.find()) {
                found.add(matcher.group());
              }
            }
          }
        }
      }
    }
    return found;
  }

  @Test
  void uninstall_ownNames_areAllKnown() throws Exception {
    Set<String> known =
        OwnedMarks.all().stream()
            .map(OwnedKey::text)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> written = constants(OWN);
    assertThat(written).containsAll(known);
    written.removeAll(NO_MARKS);
    assertThat(written).isEqualTo(known);
  }

  /**
   * Fails when a new mark is declared for a kind or place that {@code uninstall} does not inspect.
   */
  @Test
  void uninstall_objectWithMark_findsIt() {
    for (OwnedKey mark : OwnedMarks.all()) {
      assertThat(found(mark))
          .extracting(leftover -> leftover.mark().name())
          .containsExactly(mark.text());
    }
  }

  private static List<LeftoverObject> found(OwnedKey mark) {
    ObjectKey key = mark.kind().namespaced() ? new ObjectKey("ns", "o") : ObjectKey.cluster("o");
    PartialObjectBuilder meta = TestObjects.metaOf(key);
    switch (mark.type()) {
      case FINALIZER -> meta.finalizer(mark.text());
      case ANNOTATION -> meta.annotation(mark.text(), "x");
      case LABEL -> meta.label(mark.text(), "x");
    }
    return mark.kind().equals(Kind.CLAIM)
        ? LeftoverFinder.find(TestObjects.claim(meta.meta()).build())
        : LeftoverFinder.find(TestObjects.volume(meta.meta()).build(), Set.of());
  }

  @Test
  void annotationsPage_listsEveryWrittenName() throws Exception {
    String page = Files.readString(PAGE);
    for (OwnedKey mark : OwnedMarks.all()) {
      assertThat(page).contains("`" + mark.text() + "`");
    }
    Set<String> missing = new TreeSet<>();
    for (String name : constants(OF_KUBERNETES)) {
      if (!NOT_WRITTEN.matcher(name).matches() && !page.contains("`" + name)) {
        missing.add(name);
      }
    }
    assertThat(missing).as("written names that docs/annotations.md omits").isEmpty();
  }
}
