package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
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
abstract class WrittenNameRules {
  private static final Path PAGE = Path.of("..", "docs", "annotations.md");

  private static final Pattern MOORING_NAME = Pattern.compile("\\bmooring\\.dev/[\\w.-]*");

  private static final Pattern KUBERNETES_NAME =
      Pattern.compile(
          "(?:(?<![\\w.-])(?:[a-z0-9-]+\\.)*(?:kubernetes|k8s)\\.io|external-attacher)/[\\w.-]*");

  /**
   * Names that {@code uninstall} need not list. They are never stored, or are deleted with their
   * VolumeAttachments, or {@code uninstall} removes them by prefix (condition types).
   */
  private static final Set<String> UNLISTED_NAMES =
      Set.of(
          OwnedKey.PREFIX,
          "mooring.dev/v1alpha1",
          "mooring.dev/local",
          "mooring.dev/Waiting",
          "mooring.dev/deletion-delay", // only users write it
          PublicationRecord.VOLUME_HANDLE,
          "mooring.dev/deletion-brake", // on the Lease, which uninstall removes as a whole
          VersionBumper.VERSION_MARK);

  /** Names that Mooring only reads, and names of versions, plugins, parameters and taints. */
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
              "kubectl\\.kubernetes\\.io/last-applied-configuration",
              "k8s\\.io/initial-events-end",
              "registry\\.k8s\\.io/.*",
              "client\\.authentication\\.k8s\\.io/exec",
              "csi\\.storage\\.k8s\\.io/(?!drivername|managed-by).*"));

  private static Set<String> collectConstants(Pattern pattern) throws Exception {
    Set<String> names = new TreeSet<>();
    for (JavaClass type : ProductClasses.ALL) {
      boolean isProduct =
          Stream.of("apiserver", "benchmarks", "it", "testkit", "reference", "manager.uninstall")
              .noneMatch(excluded -> type.getPackageName().startsWith("dev.mooring." + excluded));
      if (isProduct) {
        try (InputStream code = type.getSource().orElseThrow().getUri().toURL().openStream()) {
          for (PoolEntry entry : ClassFile.of().parse(code.readAllBytes()).constantPool()) {
            if (entry instanceof Utf8Entry text) {
              Matcher nameMatcher = pattern.matcher(text.stringValue());
              while (nameMatcher.find()) {
                names.add(nameMatcher.group());
              }
            }
          }
        }
      }
    }
    return names;
  }

  @Test
  void uninstall_writtenOwnNames_areAllKnown() throws Exception {
    Set<String> uninstallNames =
        OwnedMarks.all().stream()
            .map(OwnedKey::text)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> writtenNames = collectConstants(MOORING_NAME);
    assertThat(writtenNames).containsAll(uninstallNames);
    writtenNames.removeAll(UNLISTED_NAMES);
    assertThat(writtenNames).isEqualTo(uninstallNames);
  }

  /**
   * Fails when a new mark is declared for a kind or place that {@code uninstall} does not inspect.
   */
  @Test
  void uninstall_objectWithMark_isFound() {
    for (OwnedKey mark : OwnedMarks.all()) {
      assertThat(findLeftovers(mark))
          .extracting(leftover -> leftover.mark().name())
          .containsExactly(mark.text());
    }
  }

  private static List<LeftoverObject> findLeftovers(OwnedKey mark) {
    ObjectKey key = mark.kind().namespaced() ? new ObjectKey("ns", "o") : ObjectKey.cluster("o");
    PartialObjectBuilder meta = TestObjects.metaOf(key);
    switch (mark.type()) {
      case FINALIZER -> meta.finalizer(mark.text());
      case ANNOTATION -> meta.annotation(mark.text(), "x");
      case LABEL -> meta.label(mark.text(), "x");
    }
    if (mark.kind().equals(Kind.NODE)) {
      return LeftoverFinder.find(TestObjects.node(meta.meta()).build());
    }
    if (mark.kind().equals(Kind.SNAPSHOT_CONTENT)) {
      return LeftoverFinder.find(TestObjects.snapshotContent(meta.meta()).build());
    }
    return mark.kind().equals(Kind.CLAIM)
        ? LeftoverFinder.find(TestObjects.claim(meta.meta()).build())
        : LeftoverFinder.find(TestObjects.volume(meta.meta()).build(), Set.of());
  }

  @Test
  void annotationsPage_writtenNames_areListed() throws Exception {
    String page = Files.readString(PAGE);
    for (OwnedKey mark : OwnedMarks.all()) {
      assertThat(page).contains("`" + mark.text() + "`");
    }
    Set<String> undocumentedNames = new TreeSet<>();
    for (String name : collectConstants(KUBERNETES_NAME)) {
      if (!NOT_WRITTEN.matcher(name).matches() && !page.contains("`" + name)) {
        undocumentedNames.add(name);
      }
    }
    assertThat(undocumentedNames).as("written names that docs/annotations.md omits").isEmpty();
  }
}
