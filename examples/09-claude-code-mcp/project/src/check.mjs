console.log("All is well.");
