package com.example.catalogue;

import com.google.gson.JsonParser;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.nio.file.Path;
import java.util.Optional;

/** Volumes listed in a catalogue of JSON files: one file per volume, with its path and size. */
public final class CataloguePlugin implements VolumePlugin {
  /** Identifies the library in use, to show which copy was loaded. */
  static final String LIBRARY = library() + ", parseString " + hasParseString();

  private volatile Catalogue catalogue = new Catalogue(Path.of("/var/lib/catalogue"));
  private volatile Branch branch = new Branch("main");

  private static String library() {
    String from = JsonParser.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return from.substring(from.lastIndexOf('/') + 1);
  }

  private static boolean hasParseString() {
    try {
      JsonParser.class.getMethod("parseString", String.class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  @Override
  public String name() {
    return "example.com/catalogue";
  }

  @Override
  public void start(PluginContext context) {
    catalogue = new Catalogue(Path.of(context.setting("catalogue-folder", "/var/lib/catalogue")));
    branch = new Branch(context.setting("catalogue-branch", "main"));
  }

  @Override
  public boolean supports(VolumeSource source) {
    return source.type().equals("hostPath") && catalogue.isBelow(source.attribute("path"));
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.of(new Entering());
  }

  @Override
  public Optional<Deleter> deleter() {
    return Optional.of(new Striking());
  }

  @Override
  public Optional<Expander> expander() {
    return Optional.of(request -> catalogue.correct(request));
  }

  private final class Entering implements Provisioner {
    @Override
    public Attempt<Optional<String>> ignores(Request request) {
      return Attempt.done(branch.ignores(request.claim().annotations()));
    }

    @Override
    public boolean needsNode() {
      return true;
    }

    @Override
    public Attempt<Provisioned> provision(Request request) {
      return catalogue.enter(request);
    }
  }

  private final class Striking implements Deleter {
    @Override
    public Attempt<Optional<String>> ignores(Request request) {
      return Attempt.done(branch.ignores(request.annotations()));
    }

    @Override
    public Attempt<Deleted> delete(Request request) {
      return catalogue.strike(request);
    }
  }
}
