package dev.mooring.apiserver.simulate;

interface ControllerPass {
  /** Compares all objects with their desired state, and writes what is missing. */
  void run();
}
