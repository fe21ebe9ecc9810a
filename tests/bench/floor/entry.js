// The bundle as it is: a floor has nothing around it.
export { default, FloorObject } from "./build/index.js";
