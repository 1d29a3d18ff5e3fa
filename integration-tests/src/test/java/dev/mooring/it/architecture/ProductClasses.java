package dev.mooring.it.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** Classes of the product, imported once per process because the import takes seconds. */
final class ProductClasses {
  static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          // Netty, renamed in the jar of the API server
          .withImportOption(location -> !location.contains("/dev/mooring/apiserver/netty/"))
          .importPackages("dev.mooring");

  private ProductClasses() {}
}
